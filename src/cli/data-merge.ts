/** `synoptic data merge`: imports the public data sets in a folder. */
import type { ImportSettings } from '../base/config/settings.js'
import { findPublicSources } from '../data/datasets/public-sources.js'
import { SettingsError } from '../base/errors/index.js'
import type { Command } from './command.js'
import { leaveOutHelp, runImport } from './data-import-run.js'
import { parseOptions } from './parse-words.js'
import { print, printError } from './print.js'

export const dataMerge: Command = {
  name: 'data merge',
  summary: 'Builds the catalogue from the public data sets in a folder.',
  help: `Usage: synoptic data merge --from <folder> [--leave-out <list>] [--works <on|off>]

docs/data.md lists ten anime files and three manga files. This command imports those that the folder
holds, with the mappings in data/sources, and lists the missing ones. A dataset without any file is
unchanged. Without its base, the first file that exists becomes the base. To import other files, use
\`synoptic data import\`, which joins and reports in the same way.

  --from <folder>     Folder that holds the files.
${leaveOutHelp}

Example:
  synoptic data merge --from ~/datasets --leave-out adult,music`,
  run,
}

async function run(argv: readonly string[], settings: ImportSettings): Promise<number> {
  const { from } = parseOptions('data merge', argv, { from: { type: 'string' } })
  if (from === undefined) {
    throw new SettingsError(['data merge: set --from to the folder that holds the files'])
  }
  const { mappings, missing } = await findPublicSources(from)
  if (mappings.length === 0) {
    printError(`error: ${from} holds none of ${missing.join(', ')}\n`)
    return 1
  }
  if (missing.length > 0) print(`missing in ${from}: ${missing.join(', ')}\n`)
  return runImport(mappings, { from, firstIsBase: true }, settings)
}
