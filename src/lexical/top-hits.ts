import { passes, type RowMask } from '../util/row-mask.js'

export interface LexicalHit {
  readonly row: number
  /** bm25, higher is better. */
  readonly score: number
}

export interface TopHitsOptions {
  /** Scores that are not above this are no hits; every score is one when omitted. */
  readonly above?: number
  /** Rows that may be hits; all when omitted. */
  readonly mask?: RowMask | undefined
}

/**
 * The first `limit` rows by score descending, row ascending. A heap keeps the best so far with the
 * last of them on top, so that most rows cost one comparison.
 */
export function topHits(
  scores: Float64Array | Float32Array,
  limit: number,
  { above = -Infinity, mask }: TopHitsOptions = {},
): LexicalHit[] {
  const heap: number[] = []
  const scoreOf = (row: number | undefined) => scores[row ?? 0] ?? 0
  const isAfter = (row: number | undefined, other: number | undefined) =>
    scoreOf(row) < scoreOf(other) || (scoreOf(row) === scoreOf(other) && (row ?? 0) > (other ?? 0))

  for (let row = 0; row < scores.length; row += 1) {
    const score = scoreOf(row)
    if (score <= above || (mask !== undefined && !passes(mask, row))) continue
    if (heap.length < limit) {
      heap.push(row)
      rise(heap, isAfter)
    } else if (score > scoreOf(heap[0])) {
      // Rows come in ascending order, so one that ties with the top is after it and stays out.
      heap[0] = row
      sink(heap, isAfter)
    }
  }
  heap.sort((row, other) => (isAfter(row, other) ? 1 : -1))
  return heap.map((row) => ({ row, score: scoreOf(row) }))
}

type IsAfter = (row: number | undefined, other: number | undefined) => boolean

function rise(heap: number[], isAfter: IsAfter): void {
  let child = heap.length - 1
  while (child > 0) {
    const parent = (child - 1) >> 1
    if (!isAfter(heap[child], heap[parent])) return
    swap(heap, child, parent)
    child = parent
  }
}

function sink(heap: number[], isAfter: IsAfter): void {
  let parent = 0
  for (;;) {
    const left = 2 * parent + 1
    if (left >= heap.length) return
    const right = left + 1
    const child = right < heap.length && isAfter(heap[right], heap[left]) ? right : left
    if (!isAfter(heap[child], heap[parent])) return
    swap(heap, child, parent)
    parent = child
  }
}

function swap(heap: number[], one: number, other: number): void {
  const row = heap[one] ?? 0
  heap[one] = heap[other] ?? 0
  heap[other] = row
}
