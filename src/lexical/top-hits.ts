import { passes, type RowMask } from '../util/row-mask.js'

export interface ScoredRow {
  readonly row: number
  readonly score: number
}

export interface TopHitsOptions {
  /** Scores that are not above this are no hits; every score is one when omitted. */
  readonly above?: number
  /** Rows that may be hits; all when omitted. */
  readonly mask?: RowMask | undefined
}

/**
 * The first `limit` by score descending, row ascending. A heap keeps the best so far with the last of them
 * on top, so that most rows cost one comparison. It lies in two typed arrays, because every search is here
 * several times.
 */
export function topHits(
  scores: Float64Array | Float32Array,
  limit: number,
  { above = -Infinity, mask }: TopHitsOptions = {},
): ScoredRow[] {
  const most = Math.min(limit, scores.length)
  if (!(most > 0)) return []
  const heap: Heap = { rows: new Uint32Array(most), scores: new Float64Array(most), size: 0 }
  // What a row has to beat. Rows come in ascending order, so one that ties with the top is after it and stays out.
  let least = above
  for (let row = 0; row < scores.length; row += 1) {
    const score = scores[row] ?? 0
    if (!(score > least) || (mask !== undefined && !passes(mask, row))) continue
    if (heap.size < most) rise(heap, row, score)
    else sink(heap, row, score)
    if (heap.size === most) least = heap.scores[0] ?? 0
  }
  const hits: ScoredRow[] = []
  while (heap.size > 0) {
    hits.push({ row: heap.rows[0] ?? 0, score: heap.scores[0] ?? 0 })
    heap.size -= 1
    sink(heap, heap.rows[heap.size] ?? 0, heap.scores[heap.size] ?? 0)
  }
  return hits.reverse()
}

interface Heap {
  readonly rows: Uint32Array
  readonly scores: Float64Array
  size: number
}

/** Whether a row comes after another one of the heap. */
function isAfter({ rows, scores }: Heap, row: number, score: number, other: number): boolean {
  const otherScore = scores[other] ?? 0
  return score < otherScore || (score === otherScore && row > (rows[other] ?? 0))
}

/** Adds a row at the end and lets it rise. */
function rise(heap: Heap, row: number, score: number): void {
  let child = heap.size
  heap.size += 1
  while (child > 0) {
    const parent = (child - 1) >> 1
    if (!isAfter(heap, row, score, parent)) break
    move(heap, parent, child)
    child = parent
  }
  put(heap, child, row, score)
}

/** Puts a row in the place of the top and lets it sink. */
function sink(heap: Heap, row: number, score: number): void {
  let parent = 0
  for (;;) {
    const left = 2 * parent + 1
    if (left >= heap.size) break
    const right = left + 1
    const isRight =
      right < heap.size && isAfter(heap, heap.rows[right] ?? 0, heap.scores[right] ?? 0, left)
    const child = isRight ? right : left
    if (isAfter(heap, row, score, child)) break
    move(heap, child, parent)
    parent = child
  }
  put(heap, parent, row, score)
}

function move(heap: Heap, from: number, to: number): void {
  put(heap, to, heap.rows[from] ?? 0, heap.scores[from] ?? 0)
}

function put({ rows, scores }: Heap, position: number, row: number, score: number): void {
  rows[position] = row
  scores[position] = score
}
