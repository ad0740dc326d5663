/**
 * Which entries a description finds, in which order: by the similarity of vectors, by words (bm25), or
 * by both lists fused. Each order is total and the same for every page of it.
 */
import type { Catalogue, DatasetInfo } from '../catalogue/catalogue.js'
import { bothMasks, countRows, type RowMask } from '../util/row-mask.js'
import { fuseRanks } from '../ranking/reciprocal-rank.js'
import { deepestRank, sliceOf, type Slice } from './pagination.js'
import type { Collection } from '../index/store.js'

export const searchModes = ['semantic', 'lexical', 'hybrid'] as const
export type SearchMode = (typeof searchModes)[number]

export interface Wanted {
  readonly dataset: DatasetInfo
  readonly description: string
  /** Rows that may be found; all when undefined. */
  readonly mask: RowMask | undefined
  readonly page: number
  readonly resultsPerPage: number
  readonly signal: AbortSignal | undefined
}

export interface Found extends Slice {
  /** Those of the slice. */
  readonly hits: readonly Hit[]
  /** The device that compared vectors; absent: the processor did, or none were compared. */
  readonly device?: string | undefined
}

export interface Hit {
  readonly row: number
  /** Cosine of the description and the entry's best text; null where that is not known. */
  readonly similarity: number | null
  /** Position in the dataset's columns of that text; null where none is the best. */
  readonly column: number | null
  readonly explain?: Explanation
}

/** What a place is made of. */
export interface Explanation {
  /** Place and cosine; null where similarity did not find the entry. */
  readonly semantic: Place | null
  /** Place and bm25; null where words did not find it. */
  readonly lexical: Place | null
  /** What the places add up to, 1 / (60 + rank) each; null where there is one list only. */
  readonly fused: number | null
}

export interface Place {
  readonly rank: number
  readonly score: number
}

export async function findSimilar(
  wanted: Wanted,
  collection: Collection,
  vector: Float32Array,
): Promise<Found> {
  const slice = sliceOf(wanted.page, wanted.resultsPerPage, countSimilar(wanted, collection))
  // A page past the end has nothing to find.
  const { hits, device } =
    slice.begin < slice.end ? await similarHits(wanted, collection, vector, slice.end) : noHits
  const { begin, end, pagination } = slice
  return { begin, end, pagination, hits: hits.slice(begin), device }
}

export function findWorded(wanted: Wanted, catalogue: Pick<Catalogue, 'lexical'>): Found {
  const { dataset, description, mask, page, resultsPerPage } = wanted
  const worded = catalogue.lexical(dataset.name, description, dataset.rows, mask)
  const slice = sliceOf(page, resultsPerPage, worded.length)
  const hits = worded.slice(slice.begin, slice.end).map(({ row, score }, position) => {
    const lexical = { rank: slice.begin + position + 1, score }
    return {
      row,
      similarity: null,
      column: null,
      explain: { semantic: null, lexical, fused: null },
    }
  })
  return { ...slice, hits }
}

/** Both lists are read as deep as a page may lie, whichever page is wanted: its order is one. */
export async function findBoth(
  wanted: Wanted,
  collection: Collection,
  vector: Float32Array,
  catalogue: Pick<Catalogue, 'lexical'>,
): Promise<Found> {
  const { dataset, description, mask, page, resultsPerPage } = wanted
  const depth = Math.min(deepestRank, countSimilar(wanted, collection))
  // Nothing is similar to a description without a token that the model knows.
  const hasTokens = vector.some((value) => value !== 0)
  const { hits: similar, device } =
    hasTokens && depth > 0 ? await similarHits(wanted, collection, vector, depth) : noHits
  const worded = catalogue.lexical(dataset.name, description, deepestRank, mask)
  const fused = fuseRanks([similar.map(({ row }) => row), worded.map(({ row }) => row)], Infinity)
  const slice = sliceOf(page, resultsPerPage, fused.length)
  const similarAt = new Map(similar.map(({ row }, position) => [row, position]))
  const wordedAt = new Map(worded.map(({ row }, position) => [row, position]))
  const hits = fused.slice(slice.begin, slice.end).map(({ row, score }) => {
    const near = similar[similarAt.get(row) ?? -1]
    const semantic = placeOf(similarAt.get(row), near?.similarity)
    const lexical = placeOf(wordedAt.get(row), worded[wordedAt.get(row) ?? -1]?.score)
    const explain = { semantic, lexical, fused: score }
    return { row, similarity: near?.similarity ?? null, column: near?.column ?? null, explain }
  })
  return { ...slice, hits, device }
}

function placeOf(position: number | undefined, score: number | null | undefined): Place | null {
  return position === undefined ? null : { rank: position + 1, score: score ?? 0 }
}

function countSimilar({ mask }: Wanted, { valid, validRows }: Collection): number {
  return mask === undefined ? validRows : countRows(bothMasks(mask, valid))
}

type SimilarHits = Pick<Found, 'hits' | 'device'>

const noHits: SimilarHits = { hits: [] }

/** The first `count` by similarity. */
async function similarHits(
  { mask, signal }: Wanted,
  { index, columns }: Collection,
  vector: Float32Array,
  count: number,
): Promise<SimilarHits> {
  const found = await index.search(vector, 1, count, { mask, signal })
  const { rows, scores } = found
  const hits: Hit[] = []
  for (let position = 0; position < (found.counts[0] ?? 0); position += 1) {
    const column = columns[found.columns[position] ?? 0] ?? 0
    hits.push({ row: rows[position] ?? 0, similarity: scores[position] ?? 0, column })
  }
  return { hits, device: found.device }
}
