/**
 * Several indexes of one dataset as one. Columns with a text in few rows have matrices of those rows alone, which
 * are an index of their own; results are the same bits as of one index whose matrices all have every row.
 */
import { countRows, passes, type RowMask } from '../../base/util/row-mask.js'
import { checkMask, checkRow, checkShape, columnNumbers } from './search-arguments.js'
import type { IndexStats, SearchOptions, SearchResult, VectorIndex } from './vector-index.js'

export interface IndexPart {
  /** Owned by the whole. */
  readonly index: VectorIndex
  /** Positions of its columns in the whole, ascending. */
  readonly columns: readonly number[]
  /** The dataset's rows of its matrices' rows, ascending; absent: every row. */
  readonly rows?: Uint32Array | undefined
}

/**
 * @param columns names of all columns
 * @param parts at least one, of one dimension; each column is in one of them
 */
export function joinIndexes(
  rowCount: number,
  columns: readonly string[],
  parts: readonly IndexPart[],
): VectorIndex {
  const dimension = parts[0]?.index.dimension ?? 0
  const validRows = (): RowMask => {
    const mask = new Uint8Array(Math.ceil(rowCount / 8))
    for (const { index, rows } of parts) {
      const valid = index.validRows()
      if (rows === undefined) valid.forEach((byte, at) => (mask[at] = (mask[at] ?? 0) | byte))
      else rows.forEach((row, at) => passes(valid, at) && addRow(mask, row))
    }
    return mask
  }
  return {
    rows: rowCount,
    dimension,
    columns,

    async search(queries, count, k, options: SearchOptions = {}): Promise<SearchResult> {
      checkShape(queries, count, k, dimension)
      checkMask(options.mask, rowCount)
      const wanted = new Set(columnNumbers(options.columns ?? [...columns.keys()], columns.length))
      const { mask, distinct = true, signal } = options
      const found = await Promise.all(
        parts.flatMap(({ index, columns: places, rows }) => {
          const local = [...places.keys()].filter((column) => wanted.has(places[column] ?? -1))
          if (local.length === 0) return []
          const partMask = mask && rows ? gather(mask, rows) : mask
          const options = { mask: partMask, columns: local, distinct, signal }
          return index
            .search(queries, count, k, options)
            .then((result) => ({ ...result, places, rowsOfPart: rows }))
        }),
      )
      return merge(found, rowCount, { count, k, distinct })
    },

    validRows,

    async vectors(row) {
      checkRow(row, rowCount)
      const vectors = new Float32Array(columns.length * dimension)
      for (const { index, columns: places, rows } of parts) {
        const at = rows === undefined ? row : positionOf(rows, row)
        if (at === undefined) continue
        const found = await index.vectors(at)
        places.forEach((column, i) =>
          vectors.set(found.subarray(i * dimension, (i + 1) * dimension), column * dimension),
        )
      }
      return vectors
    },

    stats(): IndexStats {
      const all = parts.map(({ index, columns }) => ({ columns, stats: index.stats() }))
      const sum = (valueOf: (stats: IndexStats) => number) =>
        all.reduce((total, { stats }) => total + valueOf(stats), 0)
      const inOrder = <T>(valueOf: (stats: IndexStats, column: number) => T): T[] => {
        const values: T[] = []
        for (const { columns, stats } of all)
          columns.forEach((column, i) => (values[column] = valueOf(stats, i)))
        return values
      }
      return {
        validRows: countRows(validRows()),
        validVectors: inOrder(({ validVectors }, column) => validVectors[column] ?? 0),
        mappedBytes: sum(({ mappedBytes }) => mappedBytes),
        pairsScored: sum(({ pairsScored = 0 }) => pairsScored),
        scannedBytes: sum(({ scannedBytes = 0 }) => scannedBytes),
        codes: inOrder(({ codes }, column) => codes?.[column] ?? null),
      }
    },

    async verify(options) {
      let bytes = 0
      for (const { index } of parts) bytes += (await index.verify?.(options)) ?? 0
      return bytes
    },

    close() {
      for (const { index } of parts) index.close()
    },
  }
}

interface PartResult extends SearchResult {
  readonly places: readonly number[]
  readonly rowsOfPart: Uint32Array | undefined
}

/** The next hit of a part for one query. */
interface Head {
  at: number
  readonly end: number
  row: number
  column: number
  score: number
}

/** The first k of the total order: every part's hits are in it, as its rows and columns ascend like the whole's. */
function merge(
  found: readonly PartResult[],
  rowCount: number,
  { count, k, distinct }: { count: number; k: number; distinct: boolean },
): SearchResult {
  const rows = new Uint32Array(count * k)
  const columns = new Uint16Array(count * k)
  const scores = new Float32Array(count * k)
  const counts = new Uint32Array(count)
  for (let query = 0; query < count; query += 1) {
    const heads = found.map((part): Head => {
      const begin = query * k
      const head = { at: begin, end: begin + (part.counts[query] ?? 0), ...noHit }
      readHit(head, part)
      return head
    })
    const seen = new Uint8Array(distinct ? Math.ceil(rowCount / 8) : 0)
    let next = query * k
    while (next < (query + 1) * k) {
      const first = firstOf(heads)
      const [head, part] = [heads[first], found[first]]
      if (head === undefined || part === undefined || head.at >= head.end) break
      const { row } = head
      if (!distinct || !passes(seen, row)) {
        if (distinct) addRow(seen, row)
        rows[next] = row
        columns[next] = head.column
        scores[next] = head.score
        next += 1
      }
      head.at += 1
      readHit(head, part)
    }
    counts[query] = next - query * k
  }
  const device = found.find((result) => result.device !== undefined)?.device
  return { rows, columns, scores, counts, ...(device !== undefined && { device }) }
}

const noHit = { row: 0, column: 0, score: -Infinity }

function readHit(head: Head, { rows, rowsOfPart, columns, places, scores }: PartResult): void {
  const { at, end } = head
  const place = rows[at] ?? 0
  head.row = rowsOfPart === undefined ? place : (rowsOfPart[place] ?? 0)
  head.column = places[columns[at] ?? 0] ?? 0
  head.score = at < end ? (scores[at] ?? 0) : -Infinity
}

/** The head that comes first; one without a hit comes last. */
function firstOf(heads: readonly Head[]): number {
  let first = 0
  for (let i = 1; i < heads.length; i += 1) {
    const [one, best] = [heads[i] ?? lastHead, heads[first] ?? lastHead]
    const isFirst =
      one.score > best.score ||
      (one.score === best.score &&
        (one.row < best.row || (one.row === best.row && one.column < best.column)))
    if (isFirst) first = i
  }
  return first
}

const lastHead: Head = { at: 0, end: 0, ...noHit }

/** The mask of a part's rows. */
function gather(mask: RowMask, rows: Uint32Array): RowMask {
  const gathered = new Uint8Array(Math.ceil(rows.length / 8))
  rows.forEach((row, at) => passes(mask, row) && addRow(gathered, at))
  return gathered
}

function addRow(mask: RowMask, row: number): void {
  mask[row >> 3] = (mask[row >> 3] ?? 0) | (1 << (row & 7))
}

function positionOf(rows: Uint32Array, row: number): number | undefined {
  let [begin, end] = [0, rows.length]
  while (begin < end) {
    const middle = (begin + end) >> 1
    if ((rows[middle] ?? 0) < row) begin = middle + 1
    else end = middle
  }
  return rows[begin] === row ? begin : undefined
}
