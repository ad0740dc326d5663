/** `synoptic data import`: data sets through mapping files into the catalogue. */
import type { ImportSettings } from '../config/settings.js'
import { SettingsError } from '../errors/settings-error.js'
import type { Command } from './command.js'
import { leaveOutHelp, runImport } from './data-import-run.js'
import { parseWords } from './parse-words.js'

export const dataImport: Command = {
  name: 'data import',
  summary: 'Builds the catalogue from data sets, each described by a mapping file.',
  help: `Usage: synoptic data import [--from <folder>] [--leave-out <list>] MAPPING.json...

Replaces the datasets (anime, manga) that the mappings name and keeps the others. A dataset has one
base and any number of sources that are joined to it, in the order in which they are named: by id,
or by title if type and year do not contradict it. Name them all in one command. The report lists
rows that cannot be used, and what was joined or kept apart and why. A running server keeps the old
catalogue until it is reloaded (SIGHUP) or restarted. An import that fails or is killed changes
nothing.

  --from <folder>     Folder of the files that the mappings name.
                      default each mapping's own folder
${leaveOutHelp}

Examples:
  synoptic data import data/sample/anime.json data/sample/manga.json
  synoptic data import --from ~/datasets --leave-out adult,music data/sources/anime/*.json`,
  run,
}

async function run(argv: readonly string[], settings: ImportSettings): Promise<number> {
  const { values, positionals: words } = parseWords('data import', argv, {
    from: { type: 'string' },
  })
  if (words.length === 0) {
    throw new SettingsError(['data import: expected a mapping file, received nothing'])
  }
  return runImport(words, values, settings)
}
