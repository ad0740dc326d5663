/** `synoptic data import`: builds the catalogue from data sets and their mappings. */
import type { ImportSettings } from '../config/settings.js'
import { SettingsError } from '../errors/settings-error.js'
import type { Command } from './command.js'
import { leaveOutHelp, runImport } from './data-import-run.js'
import { parseWords } from './parse-words.js'

export const dataImport: Command = {
  name: 'data import',
  summary: 'Builds the catalogue from public data sets, or from your own by a mapping.',
  help: `Usage: synoptic data import [--from <folder>] [--leave-out <list>] [--works <on|off>]
                            FILE...

Each FILE is a mapping of your own data, as \`synoptic data init\` writes it, or a public data set
that needs no mapping: JSON, JSON lines or .zst of anime-offline-database; SQLite (also .tar.gz),
JSON or JSON lines of MangaBaka; CSV with the columns of MyAnimeList. Gzip is unpacked. If a file
nearly fits, the import refuses it and names what is missing.

Replaces the dataset (anime or manga) that a file belongs to, and keeps the other one. Name all
files of a dataset in one command. One of them is the base: a mapping without "join", else the first
file. The others join it in their order, by id, or by title where type and year agree. The report
lists rows that were skipped, joined or kept apart, with the reason. An import that fails or is
killed changes nothing. A running server uses the new catalogue after a reload (SIGHUP) or a
restart.

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
