/** `synoptic data import`: builds the catalogue from data sets and their mappings. */
import type { ImportSettings } from '../config/settings.js'
import { SettingsError } from '../errors/settings-error.js'
import type { Command } from './command.js'
import { leaveOutHelp, runImport } from './data-import-run.js'
import { parseWords } from './parse-words.js'

export const dataImport: Command = {
  name: 'data import',
  summary:
    'Builds the catalogue from data sets. Public ones are known, a mapping describes others.',
  help: `Usage: synoptic data import [--from <folder>] [--leave-out <list>] [--works <on|off>]
                            FILE...

A file is a mapping, which describes a data set, or a data set that is known by what is in it: JSON,
JSON lines or .zst of anime-offline-database; SQLite (also .tar.gz), JSON or JSON lines of
MangaBaka; a CSV file with the columns of MyAnimeList. Gzip is unpacked. A file that is nearly known
is refused with what it lacks.

Replaces the datasets (anime, manga) that the files are of and keeps the others. A dataset has one
base source: the first known file, unless a mapping is one. Other sources join it by id, or by title
if type and year do not contradict. Name all files of a dataset in one command; their order is the
order of joining. The report lists rows that were skipped, and rows that were joined or kept apart,
with the reason. An import that fails or is killed changes nothing. A running server uses the new
catalogue after a reload (SIGHUP) or a restart.

  --from <folder>     Folder that holds the source files.
                      default the folder of each mapping
${leaveOutHelp}

Examples:
  synoptic data import anime-offline-database.jsonl series.sqlite.tar.gz
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
      'data import: name at least one file; `synoptic data init FILE` writes one for your data',
    ])
  }
  return runImport(words, values, settings)
}
