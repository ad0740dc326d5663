/**
 * Embeddings as the public original of this service leaves them: a CSV file of merged entries, and for
 * each of its synopsis columns `embeddings_<column with spaces as _>.npy`, a row a line of the CSV,
 * float32, not normalised, blank texts embedded too.
 */
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { hash } from 'node:crypto'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { parse } from 'csv-parse'
import { cleanText } from '../datasets/clean-text.js'
import { readCsvRows } from '../datasets/csv-rows.js'
import { readTextFile } from '../datasets/text-file.js'
import { EmbeddingsImportError, NativeError } from '../../base/errors/index.js'
import { openCollection } from '../../native/addon/index.js'
import { blankKey, keyAt } from './texts.js'

export interface OriginalFiles {
  readonly rows: number
  readonly dimension: number
  readonly columns: readonly OriginalColumn[]
}

interface OriginalColumn {
  /** As in the CSV. */
  readonly name: string
  readonly path: string
  /** Of the text behind each vector; `blankKey` where there is none. */
  readonly keys: readonly string[]
  /** Some short texts with their rows, for a comparison. */
  readonly samples: readonly { readonly row: number; readonly text: string }[]
}

/** Rejects with an EmbeddingsImportError, or a DataImportError where the CSV is none. */
export async function readOriginalFiles(folder: string, csv: string): Promise<OriginalFiles> {
  if (!existsSync(csv)) throw new EmbeddingsImportError(`there is no file ${csv}`)
  const columns = await findColumns(folder, csv)
  const rows = await readColumns(csv, columns)
  const dimension = await checkMatrices(columns, rows, csv)
  return { rows, dimension, columns }
}

interface OpenColumn extends OriginalColumn {
  readonly keys: string[]
  readonly samples: { row: number; text: string }[]
}

const prefix = 'embeddings_'
const fileOf = (column: string) => `${prefix}${column.replaceAll(' ', '_')}.npy`
const isSynopsis = (column: string) => column.toLowerCase().includes('synopsis')

async function findColumns(folder: string, csv: string): Promise<OpenColumn[]> {
  const files = await readdir(folder).catch((cause: unknown) => {
    throw new EmbeddingsImportError(`the folder ${folder} cannot be read`, { cause })
  })
  const matrices = files.filter((file) => file.startsWith(prefix) && file.endsWith('.npy'))
  const named = (await headerOf(csv)).filter(isSynopsis)
  const columns = named.filter((name) => matrices.includes(fileOf(name)))
  const known = columns.map(fileOf)
  const strange = matrices.filter((file) => !known.includes(file))
  if (strange.length > 0) {
    throw new EmbeddingsImportError(
      `expected files of the columns ${named.join(', ') || 'named synopsis, which the CSV lacks'}; ` +
        `found ${strange.join(', ')} besides`,
    )
  }
  if (columns.length === 0) {
    const expected = named.map(fileOf).join(', ') || 'a CSV with columns named synopsis'
    throw new EmbeddingsImportError(`expected ${expected} in ${folder}; found none`)
  }
  return columns.map((name) => ({ name, path: join(folder, fileOf(name)), keys: [], samples: [] }))
}

async function headerOf(csv: string): Promise<string[]> {
  const text = Readable.from(readTextFile(csv, 'utf-8', () => undefined))
  for await (const record of text.pipe(parse({ to: 1, relax_quotes: true }))) {
    return (record as string[]).map((name) => name.trim())
  }
  return []
}

const sampleTexts = 4
/** Longer texts are cut at a length that the original chose by itself. */
const maxSampleCharacters = 300

/** The texts as `data import` leaves them, so that they meet those of the catalogue. */
async function readColumns(csv: string, columns: readonly OpenColumn[]): Promise<number> {
  const names = columns.map(({ name }) => name)
  let rows = 0
  for await (const read of readCsvRows(
    csv,
    readTextFile(csv, 'utf-8', () => undefined),
    names,
  )) {
    if ('problem' in read) {
      throw new EmbeddingsImportError(`line ${read.line} of ${csv} has ${read.problem}`)
    }
    for (const { name, keys, samples } of columns) {
      const cell = read.row(name)
      const text = typeof cell === 'string' ? cleanText(cell) : null
      keys.push(text === null ? blankKey : keyAt(hash('sha256', text, 'buffer'), 0))
      const isShort = text !== null && text.length <= maxSampleCharacters
      if (isShort && samples.length < sampleTexts) samples.push({ row: rows, text })
    }
    rows += 1
  }
  return rows
}

/** Their headers, sizes and shapes; returns the dimension. */
async function checkMatrices(
  columns: readonly OpenColumn[],
  rows: number,
  csv: string,
): Promise<number> {
  try {
    const collection = await openCollection({ columns })
    const { rows: found, dimension } = collection
    collection.close()
    if (found === rows) return dimension
    const problem = `expected ${rows} rows of embeddings, one a row of ${csv}, found ${found}`
    throw new EmbeddingsImportError(problem)
  } catch (error) {
    if (!(error instanceof NativeError) || error.file === undefined) throw error
    throw new EmbeddingsImportError(error.message, { cause: error })
  }
}
