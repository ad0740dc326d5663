/** `synoptic compile`: what `npm ci` does in a clone, for an installed package. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { packageRoot } from '../base/util/package-root.js'
import type { Command } from './command.js'
import { parseOptions } from './parse-words.js'

export const compile: Command = {
  name: 'compile',
  summary: 'Compiles the native core and SQLite where the package has none that load here.',
  help: `Usage: synoptic compile [--all]

The package brings both for the usual systems, so mostly there is nothing to do. Compiling takes minutes. A list says what
it needs and does not find. It writes into the folder of the package: run it as the user who installed the package.

  --all  compile the native core even where the one of the package loads

Example:
  synoptic compile`,
  run: (argv) => Promise.resolve().then(() => run(argv)),
}

function run(argv: readonly string[]): number {
  const { all } = parseOptions('compile', argv, { all: { type: 'boolean' } })
  const statuses = [
    ['build-addon.js', ...(all ? [] : ['--unless-prebuilt'])],
    ['build-sqlite.js'],
  ].map(([tool = '', ...words]) => {
    const file = join(packageRoot, 'tools', tool)
    return spawnSync(process.execPath, [file, ...words], { stdio: 'inherit' }).status
  })
  return statuses.every((status) => status === 0) ? 0 : 1
}
