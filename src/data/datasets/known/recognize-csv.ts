/** Which data set a CSV file is: one with a mapping of its own, or one with the columns of MyAnimeList. */
import { basename } from 'node:path'
import { DataImportError } from '../../../base/errors/index.js'
import { shellWord } from '../../../base/util/runnable.js'
import { readCsvRows } from '../csv-rows.js'
import type { RawRow } from '../field.js'
import type { Input, RowReader } from '../input.js'
import { mappedNames } from '../source.js'
import { readTextFile } from '../text-file.js'
import { datasetOf } from './csv-dataset.js'
import {
  findColumns,
  mappingOf,
  missingParts,
  rankName,
  readSample,
  type Columns,
} from './mal-csv.js'
import { publicMappings } from './public-mapping.js'

/** Fewer names of columns may be those of another file. */
const fewestNames = 8
/** Parts of a row that a table of something else would not have together. */
const fewestParts = 3

export async function recognizeCsv(file: string, text: string): Promise<Input | undefined> {
  const sample = readSample(text)
  if (sample === undefined) return undefined
  const { header, rows } = sample
  const own = await mappingFor(header)
  if (own !== undefined) return { file, mapping: own }
  const columns = findColumns(header)
  if (Object.keys(columns).length < fewestParts) return undefined
  const missing = missingParts(columns)
  const dataset = await datasetOf(file, columns, rows)
  if (dataset === undefined) missing.push('anything that shows whether it holds anime or manga')
  if (dataset === undefined || missing.length > 0) {
    const problem = `looks like a CSV file of MyAnimeList, but it lacks ${missing.join(', and ')}`
    const found = header.map((name) => JSON.stringify(name)).join(', ')
    const command = `synoptic data init ${shellWord(file)} --dataset ${dataset ?? 'anime'}`
    const remedy = `\`${command}\`${dataset === undefined ? ' (or manga)' : ''} writes a mapping for it`
    throw new DataImportError(file, `${problem}; ${remedy}; found ${found}`)
  }
  const mapping = mappingOf(columns, { file: basename(file), dataset, rows })
  return { file, mapping, rows: rowsWithRank(file, columns) }
}

/** The mapping with most of the file's columns, of those that name no other. */
async function mappingFor(header: readonly string[]) {
  const names = new Set(header.map((name) => name.trim()))
  const fitting = (await publicMappings())
    .filter(({ format }) => format === 'csv')
    .map((mapping) => ({ mapping, needed: mappedNames(mapping) }))
    .filter(({ needed }) => needed.length >= fewestNames && needed.every((name) => names.has(name)))
  const [best] = fitting.toSorted((one, other) => other.needed.length - one.needed.length)
  return best?.mapping
}

/** The first rank is the best, while a larger popularity means better known. */
function rowsWithRank(file: string, { popularity }: Columns): RowReader {
  return async function* rows(onBytes) {
    const text = readTextFile(file, 'utf-8', onBytes)
    for await (const raw of readCsvRows(file, text, [])) {
      if ('problem' in raw || popularity === undefined) yield raw
      else yield { line: raw.line, row: withRank(raw.row, popularity) }
    }
  }
}

function withRank(row: RawRow, popularity: string): RawRow {
  return (name) => {
    if (name !== rankName) return row(name)
    const rank = Number(row(popularity))
    return rank > 0 ? -rank : null
  }
}
