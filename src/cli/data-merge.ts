/** `synoptic data merge`: the import of the public data sets that lie in one folder. */
import type { ImportSettings } from '../config/settings.js'
import { findPublicSources } from '../datasets/public-sources.js'
import { SettingsError } from '../errors/settings-error.js'
import type { Command } from './command.js'
import { leaveOutHelp, runImport } from './data-import-run.js'
import { parseOptions } from './parse-words.js'

export const dataMerge: Command = {
  name: 'data merge',
  summary: 'Builds the catalogue from the public data sets that lie in one folder.',
  help: `Usage: synoptic data merge --from <folder> [--leave-out <list>]

Imports those of the ten anime and three manga files of docs/data.md that the folder has, each by
its mapping in data/sources. Missing files are listed and not required: a dataset without any of its
files stays as it is, and one without its base starts with the first file that is there. Joining and
report are those of \`synoptic data import\`, which takes mappings of your own.

  --from <folder>     Folder of the files.
${leaveOutHelp}

Example:
  synoptic data merge --from ~/datasets --leave-out adult,music`,
  run,
}

async function run(argv: readonly string[], settings: ImportSettings): Promise<number> {
  const { from } = parseOptions('data merge', argv, { from: { type: 'string' } })
  if (from === undefined) {
    throw new SettingsError([
      'data merge: --from: expected the folder of the files, received nothing',
    ])
  }
  const { mappings, missing } = await findPublicSources(from)
  if (mappings.length === 0) {
    process.stderr.write(`error: ${from} has none of ${missing.join(', ')}\n`)
    return 1
  }
  if (missing.length > 0) process.stdout.write(`not in ${from}: ${missing.join(', ')}\n`)
  return runImport(mappings, { from, firstIsBase: true }, settings)
}
