/** `synoptic data import`: builds the catalogue from data sets and their mappings. */
import type { DatasetName } from '../data/catalogue/catalogue.js'
import type { UpdateSettings } from '../base/config/settings.js'
import { SettingsError } from '../base/errors/index.js'
import type { ImportSummary } from '../data/datasets/import.js'
import type { Command } from './command.js'
import { leaveOutHelp, runImport } from './data-import-run.js'
import { embedStale } from './embed-stale.js'
import { parseWords } from './parse-words.js'

export const dataImport: Command = {
  name: 'data import',
  summary: 'Builds the catalogue from public data sets, or from your own by a mapping.',
  help: `Usage: synoptic data import [--update] [--from <folder>] [--leave-out <list>]
                            [--works <on|off>] [--device <device>] FILE...

Each FILE is a table of works, or a mapping that says how to read one (\`synoptic data init\`
writes it). Tables may be CSV, TSV, JSON, JSON lines, Excel (.xlsx), OpenDocument (.ods), Parquet
or SQLite; .gz and .zst are unpacked. Known without a mapping: what \`synoptic data export\` wrote;
answers of the APIs of AniList, MyAnimeList, Jikan, Kitsu and MangaUpdates; dumps of
anime-offline-database and MangaBaka; CSV with the columns of MyAnimeList. Any other table is read
by the names and values of its columns, and the report says how. If more than half of the rows give
no entry or no text, the import ends with a warning and status 2.

Replaces the dataset (anime or manga) that a file belongs to, and keeps the other one. Name all
files of a dataset in one command. One of them is the base: a mapping without "join", else the first
file. The others join it in their order, by id, or by title where type and year agree. The report
lists rows that were skipped, joined or kept apart, with the reason. An import that fails or is
killed changes nothing. A running server uses the new catalogue after a reload (SIGHUP) or a
restart.

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
  const options = { update, onImported, isOwn: true, ...(from !== undefined && { from }) }
  const status = await runImport(words, options, settings)
  if (status !== 0 || !update) return status
  return (await embedStale(settings, changed)).status
}
