/** `synoptic data import`: builds the catalogue from data sets and their mappings. */
import type { ImportSettings } from '../config/settings.js'
import { SettingsError } from '../errors/settings-error.js'
import type { Command } from './command.js'
import { leaveOutHelp, runImport } from './data-import-run.js'
import { parseWords } from './parse-words.js'

export const dataImport: Command = {
  name: 'data import',
  summary: 'Builds the catalogue from data sets. A mapping file describes each of them.',
  help: `Usage: synoptic data import [--from <folder>] [--leave-out <list>] [--works <on|off>]
                            MAPPING.json...

Replaces the datasets (anime, manga) that the mappings name and keeps the others. A dataset has one
base source. Other sources join it by id, or by title if type and year do not contradict. Name all
mappings of a dataset in one command; the order of the mappings is the order of joining. The report
lists rows that were skipped, and rows that were joined or kept apart, with the reason. An import
that fails or is killed changes nothing. A running server uses the new catalogue after a reload
(SIGHUP) or a restart.

  --from <folder>     Folder that holds the source files.
                      default the folder of each mapping
${leaveOutHelp}

Examples:
  synoptic data import data/works/anime.json data/works/manga.json
  synoptic data import --from ~/datasets --leave-out adult,music data/sources/anime/*.json`,
  run,
}

async function run(argv: readonly string[], settings: ImportSettings): Promise<number> {
  const { values, positionals: words } = parseWords('data import', argv, {
    from: { type: 'string' },
  })
  if (words.length === 0) {
    throw new SettingsError([
      'data import: name at least one mapping file; `synoptic data init FILE` writes one for your data',
    ])
  }
  return runImport(words, values, settings)
}
