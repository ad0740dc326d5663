/** The texts of a dataset by their hashes: what has to be encoded, once however often it occurs. */
import { hash } from 'node:crypto'
import type { Catalogue, DatasetInfo } from '../catalogue/catalogue.js'

/** Bytes of SHA-256 that are kept: two texts of a catalogue do not meet by chance. */
export const hashBytes = 16

export interface DatasetTexts {
  /** Columns x rows x `hashBytes`; zero where there is no text. */
  readonly hashes: Buffer
  /** Rows with a text, a column. */
  readonly counts: readonly number[]
  /** Where each different text occurs first, by its key. */
  readonly locations: ReadonlyMap<string, TextLocation>
}

export interface TextLocation {
  readonly key: string
  readonly column: number
  readonly row: number
  readonly characters: number
}

export function readTexts(catalogue: Catalogue, dataset: DatasetInfo): DatasetTexts {
  const { rows } = dataset
  const hashes = Buffer.alloc(dataset.columns.length * rows * hashBytes)
  const locations = new Map<string, TextLocation>()
  const counts = dataset.columns.map((_, column) => {
    let count = 0
    for (const { row, text } of catalogue.texts(dataset.name, column)) {
      const digest = hash('sha256', text, 'buffer')
      digest.copy(hashes, (column * rows + row) * hashBytes, 0, hashBytes)
      const key = keyAt(digest, 0)
      if (!locations.has(key)) locations.set(key, { key, column, row, characters: text.length })
      count += 1
    }
    return count
  })
  return { hashes, counts, locations }
}

/** Name of the text whose hash is the n-th. */
export const keyAt = (hashes: Buffer, n: number): string =>
  hashes.toString('latin1', n * hashBytes, (n + 1) * hashBytes)

/** The key of no text. */
export const blankKey = '\0'.repeat(hashBytes)
