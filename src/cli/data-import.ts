/** `synoptic data import`: builds the catalogue from data sets and their mappings. */
import type { DatasetName } from '../catalogue/catalogue.js'
import type { UpdateSettings } from '../config/settings.js'
import { SettingsError } from '../errors/settings-error.js'
import type { ImportSummary } from '../datasets/import.js'
import type { Command } from './command.js'
import { leaveOutHelp, runImport } from './data-import-run.js'
import { embedStale } from './embed-stale.js'
import { parseWords } from './parse-words.js'

export const dataImport: Command = {
  name: 'data import',
  summary:
    'Builds the catalogue from data sets. Public ones are known, a mapping describes others.',
  help: `Usage: synoptic data import [--update] [--from <folder>] [--leave-out <list>]
                            [--works <on|off>] [--device <device>] FILE...

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

  --update            Keeps the entries of the catalogue, and changes those that the files name, by
                      id. What a file has fields for is replaced; the rest stays. Then encodes
                      the texts that have changed, with every model that had embeddings.
  --device <device>   With --update: auto, cpu, cuda or cuda:N, as in \`synoptic serve\`.
  --from <folder>     Folder that holds the source files.
                      default the folder of each mapping
${leaveOutHelp}

Examples:
  synoptic data import anime-offline-database.jsonl series.sqlite.tar.gz
  synoptic data import data/works/anime.json data/works/manga.json
  synoptic data import --from ~/datasets --leave-out adult,music data/sources/anime/*.json
  synoptic data import --update corrections.json`,
  run,
}

async function run(argv: readonly string[], settings: UpdateSettings): Promise<number> {
  const { values, positionals: words } = parseWords('data import', argv, {
    from: { type: 'string' },
    update: { type: 'boolean' },
  })
  if (words.length === 0) {
    throw new SettingsError([
      'data import: name at least one file; `synoptic data init FILE` writes one for your data',
    ])
  }
  const { from, update = false } = values
  const changed = new Set<DatasetName>()
  const onImported = ({ datasets }: ImportSummary) => {
    for (const { name } of datasets) changed.add(name)
  }
  const options = { update, onImported, ...(from !== undefined && { from }) }
  const status = await runImport(words, options, settings)
  if (status !== 0 || !update) return status
  return (await embedStale(settings, changed)).status
}
