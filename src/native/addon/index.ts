/** The native core as the rest of Synoptic sees it. */
import { NativeError } from '../../base/errors/index.js'
import type { VectorIndex } from './vector-index.js'
import { loadAddon, toNativeError } from './addon.js'
import { createCollection } from './collection.js'
import { joinIndexes, type IndexPart } from './joined-indexes.js'
import type { NativeCuda } from './contract.js'

export { configureGpu, gpuRefusal, gpuStats, releaseIdleGpu } from './gpu-device.js'
export { buildCodes } from './quantized-codes.js'

export interface CollectionColumn {
  readonly name: string
  /** A `.npy` file of float32, rows x dimension. */
  readonly path: string
  /** Of its blocks, as `createBlockHasher` makes them; without them the file is taken as it is. */
  readonly hashes?: Uint8Array | undefined
  /** Whether the file has only the rows of `CollectionOptions.compact`. */
  readonly compact?: boolean | undefined
}

export interface CollectionOptions {
  readonly columns: readonly CollectionColumn[]
  readonly compact?: CompactRows | undefined
}

/** For columns that have a text in few rows of the dataset. */
export interface CompactRows {
  /** Rows of the dataset. */
  readonly rowCount: number
  /** Of these the ones that compact columns have, ascending. */
  readonly rows: Uint32Array
}

export interface NativeInfo {
  /** The kernels in use, e.g. `avx2`; SYNOPTIC_FORCE_KERNEL chooses others. */
  readonly kernel: string
  /** Every kernel that this machine can run, best first. */
  readonly kernels: readonly string[]
  /** Threads that scan; SYNOPTIC_SCAN_THREADS sets them. */
  readonly threads: number
  /** The driver is queried once a process, and the answer is kept. */
  readonly cuda: NativeCuda
}

/**
 * Maps and validates the matrices of one collection; equal rows and dimensions are required.
 * Rejects with NativeError, which names the file that is at fault.
 */
export async function openCollection(options: CollectionOptions): Promise<VectorIndex> {
  const { columns, compact } = options
  checkColumns(columns)
  if (compact === undefined || !columns.some((column) => column.compact)) return openAlike(columns)
  return openParts(columns, compact)
}

/** Columns that have every row, and those that have few, each in a collection of their own. */
async function openParts(
  columns: readonly CollectionColumn[],
  { rowCount, rows }: CompactRows,
): Promise<VectorIndex> {
  const parts: IndexPart[] = []
  try {
    for (const isCompact of [false, true]) {
      const places = [...columns.keys()].filter((i) => (columns[i]?.compact ?? false) === isCompact)
      if (places.length === 0) continue
      const some = columns.filter((_, i) => places.includes(i))
      const index = await openAlike(some)
      parts.push({ index, columns: places, rows: isCompact ? rows : undefined })
      checkPart(some, index, isCompact ? rows.length : rowCount, parts[0]?.index.dimension)
    }
    const names = columns.map(({ name }) => name)
    return joinIndexes(rowCount, names, parts)
  } catch (error) {
    for (const { index } of parts) index.close()
    throw error
  }
}

function checkPart(
  [first]: readonly CollectionColumn[],
  index: VectorIndex,
  rows: number,
  dimension = index.dimension,
): void {
  const file = first?.path ?? ''
  const refuse = (code: string, what: string, expected: number, found: number) =>
    new NativeError(code, `${file}: expected ${expected} ${what}, found ${found}`, { file })
  if (index.rows !== rows) throw refuse('EROWS_MISMATCH', 'rows', rows, index.rows)
  if (index.dimension !== dimension)
    throw refuse('EDIM_MISMATCH', 'dimensions', dimension, index.dimension)
}

async function openAlike(columns: readonly CollectionColumn[]): Promise<VectorIndex> {
  const addon = loadAddon()
  try {
    const native = await addon.openCollection(
      columns.map(({ path }) => path),
      columns.map(({ hashes }) => hashes ?? new Uint8Array()),
    )
    return createCollection(
      native,
      columns.map(({ name }) => name),
    )
  } catch (error) {
    throw toNativeError(error)
  }
}

/**
 * The scores that a search of a collection with these vectors gives them; NaN of a vector that is not valid.
 * Scores on the calling thread, 2,000 vectors of 384 dimensions in less than a millisecond.
 * Throws NativeError EQUERY for a query that is zero, NaN or infinite.
 * @param vectors one after the other, of the query's dimension
 */
export function scoreVectors(query: Float32Array, vectors: Float32Array): Float32Array {
  try {
    return loadAddon().scoreVectors(query, vectors)
  } catch (error) {
    throw toNativeError(error)
  }
}

/** What the native core runs on here. Throws NativeError EADDON when it is not built. */
export function nativeInfo(): NativeInfo {
  const addon = loadAddon()
  const { kernel, kernels, threads } = addon
  return { kernel, kernels, threads, cuda: addon.cuda() }
}

/** From now on a scan wakes a thread only while fewer than `limit` are awake, or none is. Those at work go on. */
export function limitScanThreads(limit: number): void {
  loadAddon().limitScanThreads(limit)
}

/** Gives the system what this process has freed, which some C libraries keep. Takes milliseconds. */
export function returnFreeMemory(): void {
  loadAddon().returnFreeMemory()
}

function checkColumns(columns: unknown): void {
  const isColumn = (column: unknown): boolean => {
    const { name, path } = (column ?? {}) as Partial<CollectionColumn>
    return typeof name === 'string' && typeof path === 'string' && !path.includes('\0')
  }
  if (Array.isArray(columns) && columns.length > 0 && columns.every(isColumn)) return
  const received = Array.isArray(columns) ? `${columns.length} of another form` : typeof columns
  throw new NativeError(
    'EARGUMENT',
    `columns: expected one or more {name, path}, received ${received}`,
  )
}
