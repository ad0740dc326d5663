/**
 * The three modes of a description search: semantic (vectors), lexical (bm25), and hybrid (both lists
 * fused). The latter two put an entry first of which the description is the title. Each mode has one total order, and every page is a slice of it.
 */
import type { Catalogue, DatasetInfo } from '../catalogue/catalogue.js'
import { bothMasks, countRows, passes, type RowMask } from '../util/row-mask.js'
import { fuseRanks } from '../ranking/reciprocal-rank.js'
import { maxResultWindow, sliceOf, type Slice } from './pagination.js'
import type { Collection } from '../index/store.js'

export const searchModes = ['semantic', 'lexical', 'hybrid'] as const
export type SearchMode = (typeof searchModes)[number]

export interface SearchRequest {
  readonly dataset: DatasetInfo
  readonly description: string
  /** Rows that may be found; all when undefined. */
  readonly mask: RowMask | undefined
  readonly page: number
  readonly resultsPerPage: number
  readonly signal: AbortSignal | undefined
  /** Rows of which the description is the title: words and both put them first. */
  readonly titleRows: readonly number[]
}

export interface HitPage extends Slice {
  /** The hits of this page. */
  readonly hits: readonly Hit[]
  /** The device that compared vectors; absent if the CPU did, or if no vectors were compared. */
  readonly device?: string | undefined
}

export interface Hit {
  readonly row: number
  /** Cosine of the description and the entry's best text; null if the vectors did not find the entry. */
  readonly similarity: number | null
  /** Position of that text in the dataset's columns; null if the vectors did not find the entry. */
  readonly column: number | null
  readonly explain?: Explanation
}

/** Why an entry has its rank. */
export interface Explanation {
  /** Rank by cosine; null if the vectors did not find the entry. */
  readonly semantic: RankedScore | null
  /** Rank by bm25; null if the words did not find the entry. */
  readonly lexical: RankedScore | null
  /** Sum of 1 / (60 + rank) over both lists; null if there is one list only, or if the title alone found the entry. */
  readonly fused: number | null
}

export interface RankedScore {
  readonly rank: number
  readonly score: number
}

export async function semanticSearch(
  request: SearchRequest,
  collection: Collection,
  vector: Float32Array,
): Promise<HitPage> {
  const slice = sliceOf(request.page, request.resultsPerPage, countSemantic(request, collection))
  // A page past the end has no hits.
  const { hits, device } =
    slice.begin < slice.end ? await scanVectors(request, collection, vector, slice.end) : noHits
  const { begin, end, pagination } = slice
  return { begin, end, pagination, hits: hits.slice(begin), device }
}

export function lexicalSearch(
  request: SearchRequest,
  catalogue: Pick<Catalogue, 'lexical'>,
): HitPage {
  const { dataset, description, mask, page, resultsPerPage } = request
  const lexicalHits = catalogue.lexical(dataset.name, description, dataset.rows, mask)
  const lexicalRank = ranksOf(lexicalHits)
  const rows = withTitles(
    lexicalHits.map(({ row }) => row),
    request,
  )
  const slice = sliceOf(page, resultsPerPage, rows.length)
  const hits = rows.slice(slice.begin, slice.end).map((row) => {
    const rank = lexicalRank.get(row)
    const lexical = rankedScore(rank, lexicalHits[rank ?? -1]?.score)
    return {
      row,
      similarity: null,
      column: null,
      explain: { semantic: null, lexical, fused: null },
    }
  })
  return { ...slice, hits }
}

/** The rows of titles, which pass, before the others. */
function withTitles(
  rows: readonly number[],
  { titleRows, mask }: SearchRequest,
): readonly number[] {
  const first = titleRows.filter((row) => mask === undefined || passes(mask, row))
  if (first.length === 0) return rows
  return [...first, ...rows.filter((row) => !first.includes(row))]
}

const ranksOf = (hits: readonly { readonly row: number }[]): ReadonlyMap<number, number> =>
  new Map(hits.map(({ row }, position) => [row, position]))

/** Reads both lists to the same depth for every page, so that all pages are slices of one order. */
export async function hybridSearch(
  request: SearchRequest,
  collection: Collection,
  vector: Float32Array,
  catalogue: Pick<Catalogue, 'lexical'>,
): Promise<HitPage> {
  const { dataset, description, mask, page, resultsPerPage } = request
  const depth = Math.min(maxResultWindow, countSemantic(request, collection))
  // The model knows no token of the description: nothing is similar.
  const hasTokens = vector.some((value) => value !== 0)
  const { hits: semanticHits, device } =
    hasTokens && depth > 0 ? await scanVectors(request, collection, vector, depth) : noHits
  const lexicalHits = catalogue.lexical(dataset.name, description, maxResultWindow, mask)
  const fused = fuseRanks(
    [semanticHits.map(({ row }) => row), lexicalHits.map(({ row }) => row)],
    Infinity,
  )
  const scores = new Map(fused.map(({ row, score }) => [row, score]))
  const rows = withTitles([...scores.keys()], request)
  const slice = sliceOf(page, resultsPerPage, rows.length)
  const semanticRank = ranksOf(semanticHits)
  const lexicalRank = ranksOf(lexicalHits)
  const hits = rows.slice(slice.begin, slice.end).map((row) => {
    const near = semanticHits[semanticRank.get(row) ?? -1]
    const semantic = rankedScore(semanticRank.get(row), near?.similarity)
    const lexical = rankedScore(
      lexicalRank.get(row),
      lexicalHits[lexicalRank.get(row) ?? -1]?.score,
    )
    const explain = { semantic, lexical, fused: scores.get(row) ?? null }
    return { row, similarity: near?.similarity ?? null, column: near?.column ?? null, explain }
  })
  return { ...slice, hits, device }
}

function rankedScore(
  position: number | undefined,
  score: number | null | undefined,
): RankedScore | null {
  return position === undefined ? null : { rank: position + 1, score: score ?? 0 }
}

function countSemantic({ mask }: SearchRequest, { valid, validRows }: Collection): number {
  return mask === undefined ? validRows : countRows(bothMasks(mask, valid))
}

type SemanticHits = Pick<HitPage, 'hits' | 'device'>

const noHits: SemanticHits = { hits: [] }

/** The first `count` by similarity. */
async function scanVectors(
  { mask, signal }: SearchRequest,
  { index, columns }: Collection,
  vector: Float32Array,
  count: number,
): Promise<SemanticHits> {
  const {
    rows,
    columns: positions,
    scores,
    counts,
    device,
  } = await index.search(vector, 1, count, {
    mask,
    signal,
  })
  const hits: Hit[] = []
  for (let position = 0; position < (counts[0] ?? 0); position += 1) {
    const column = columns[positions[position] ?? 0] ?? 0
    hits.push({ row: rows[position] ?? 0, similarity: scores[position] ?? 0, column })
  }
  return { hits, device }
}
