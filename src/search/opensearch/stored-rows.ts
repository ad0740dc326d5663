/** The exact vectors of rows, from the engine's documents; those used last are kept. */
import { LRUCache } from 'lru-cache'
import { EngineFault, unavailable } from './engine-faults.js'
import type { Answer, StoredRow } from './searches.js'

/** One row: its columns with a valid vector, ascending, and their vectors one after the other. */
export interface RowVectors {
  readonly columns: readonly number[]
  readonly vectors: Float32Array
}

export interface StoredRows {
  /** Takes along what an answer brings. */
  keep(answer: Answer): void
  /** Those of some rows, in their order; requests from the engine what is not kept. */
  of(rows: readonly number[], signal: AbortSignal | undefined): Promise<readonly RowVectors[]>
}

export interface StoredRowsOptions {
  readonly dimension: number
  readonly limitBytes: number
  /** The documents of some rows, a few hundred at most. */
  readonly fetch: (rows: readonly number[], signal: AbortSignal | undefined) => Promise<Answer>
}

/** With ten columns of 384 dimensions half a megabyte each hundred rows, and a third more as text. */
const rowsPerCall = 200
const callsAtOnce = 4
const entryBytes = 200

export function createStoredRows({ dimension, limitBytes, fetch }: StoredRowsOptions): StoredRows {
  const kept = new LRUCache<number, RowVectors>({
    maxSize: limitBytes,
    sizeCalculation: ({ vectors }) => vectors.byteLength + entryBytes,
  })

  function read(answer: Answer): Map<number, RowVectors> {
    const found = new Map<number, RowVectors>()
    for (const { _id, _source } of answer.hits.hits) {
      if (_source === undefined) continue
      const row = Number(_id)
      const vectors = decode(_source, dimension)
      found.set(row, vectors)
      kept.set(row, vectors)
    }
    return found
  }

  return {
    keep: (answer) => void read(answer),
    async of(rows, signal) {
      const found = new Map<number, RowVectors>()
      const missing: number[] = []
      for (const row of rows) {
        const vectors = kept.get(row)
        if (vectors === undefined) missing.push(row)
        else found.set(row, vectors)
      }
      const calls = Array.from({ length: Math.ceil(missing.length / rowsPerCall) }, (_, i) =>
        missing.slice(i * rowsPerCall, (i + 1) * rowsPerCall),
      )
      const todo = calls.values()
      const run = async () => {
        for (const part of todo) {
          for (const [row, vectors] of read(await fetch(part, signal))) found.set(row, vectors)
        }
      }
      await Promise.all(Array.from({ length: Math.min(callsAtOnce, calls.length) }, run))
      return rows.map((row) => {
        const vectors = found.get(row)
        if (vectors === undefined) {
          throw unavailable(new EngineFault('incomplete', `there is no document of row ${row}`))
        }
        return vectors
      })
    },
  }
}

/** What a document holds of a row. */
export function encode(vectors: Float32Array, dimension: number): StoredRow {
  const columns = Array.from({ length: vectors.length / dimension }, (_, column) => column)
  const partOf = (column: number) => vectors.subarray(column * dimension, (column + 1) * dimension)
  const has = columns.filter((column) => partOf(column).some((value) => value !== 0))
  const bytes = Buffer.alloc(has.length * dimension * 4)
  has.forEach((column, i) => {
    partOf(column).forEach((value, d) => bytes.writeFloatLE(value, (i * dimension + d) * 4))
  })
  return { has, vectors: bytes.toString('base64') }
}

/** Bytes in base64 start at an address of their own, so they are copied to one that floats can have. */
function decode({ has, vectors: text }: StoredRow, dimension: number): RowVectors {
  const bytes = Buffer.from(text, 'base64')
  if (bytes.length !== has.length * dimension * 4) {
    throw new RangeError(
      `expected ${has.length} x ${dimension} float32, received ${bytes.length} bytes`,
    )
  }
  const vectors = new Float32Array(has.length * dimension)
  if (isLittleEndian) Buffer.from(vectors.buffer).set(bytes)
  else vectors.forEach((_, i) => (vectors[i] = bytes.readFloatLE(i * 4)))
  return { columns: has, vectors }
}

const isLittleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1
