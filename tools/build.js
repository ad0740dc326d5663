/**
 * Builds everything, with a line and its time for each step: `npm run build`. `npm ci` runs it with `--install`, which
 * also sees to SQLite.
 */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const file = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url))
const isInstall = process.argv.includes('--install')
const steps = [
  ['native core, minutes the first time', [file('tools/build-addon.js')]],
  ...(isInstall ? [['SQLite', [file('tools/build-sqlite.js')]]] : []),
  ['TypeScript', [file('node_modules/typescript/bin/tsc'), '-b', file('src')]],
  ['bundle', [file('tools/bundle.js')]],
  ['web page', [file('tools/build-page.js')]],
]

for (const [position, [name, words]] of steps.entries()) {
  process.stdout.write(`synoptic: ${position + 1}/${steps.length} ${name} ... `)
  const begun = performance.now()
  const { status, stdout, stderr, error } = spawnSync(process.execPath, words, {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  })
  const seconds = ((performance.now() - begun) / 1000).toFixed(1)
  console.log(status === 0 ? `${seconds} s` : `failed after ${seconds} s`)
  process.stderr.write(stderr ?? '')
  if (status === 0) continue
  process.stderr.write(`${stdout ?? ''}${error?.message ?? ''}`)
  process.exit(1)
}
