/**
 * The three modes of a description search: semantic (vectors), lexical (bm25), and hybrid (both lists
 * fused). The latter two put an entry first if the description is its title. Each mode has one total
 * order, and every page is a slice of it.
 */
import type { Catalogue, DatasetInfo } from '../../data/catalogue/catalogue.js'
import { inTurns } from '../../native/scheduling/in-turns.js'
import { countCommonRows, passes, type RowMask } from '../../base/util/row-mask.js'
import { fuseRanks } from '../ranking/reciprocal-rank.js'
import { maxResultWindow, sliceOf, type Slice } from './pagination.js'
import { searchEach } from '../index/search-each.js'
import type { Collection } from '../index/store.js'

export const searchModes = ['semantic', 'lexical', 'hybrid'] as const
export type SearchMode = (typeof searchModes)[number]

export interface SearchRequest {
  readonly dataset: DatasetInfo
  /** Rows that may be found; all when undefined. */
  readonly mask: RowMask | undefined
  readonly page: number
  readonly resultsPerPage: number
  readonly signal: AbortSignal | undefined
  /** Rows whose title the description is: words and both put them first. */
  readonly titleRowsOf: (description: string) => readonly number[]
}

export interface HitPage extends Slice {
  /** The hits of this page. */
  readonly hits: readonly Hit[]
  /** The device that compared vectors; absent if the CPU did, or if no vectors were compared. */
  readonly device?: string | undefined
}

interface Hit {
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

interface RankedScore {
  readonly rank: number
  readonly score: number
}

/** A page for each vector; no vector is zero, and all are compared in one scan. */
export async function semanticSearch(
  request: SearchRequest,
  collection: Collection,
  vectors: readonly Float32Array[],
): Promise<readonly HitPage[]> {
  const slice = sliceOf(request.page, request.resultsPerPage, countSemantic(request, collection))
  // A page past the end has no hits.
  const depth = slice.begin < slice.end ? slice.end : 0
  const lists = await scanVectors(request, collection, vectors, depth)
  const { begin, end, pagination } = slice
  return lists.map(({ hits, device }) => {
    return { begin, end, pagination, hits: hits.slice(begin), device }
  })
}

export async function lexicalSearch(
  request: SearchRequest,
  catalogue: Pick<Catalogue, 'lexical'>,
  description: string,
): Promise<HitPage> {
  const { dataset, mask, page, resultsPerPage } = request
  const lexicalHits = await catalogue.lexical(dataset.name, description, dataset.rows, mask)
  const lexicalRank = ranksOf(lexicalHits)
  const byWords = lexicalHits.map(({ row }) => row)
  const rows = withTitles(byWords, request, description)
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
  { titleRowsOf, mask }: SearchRequest,
  description: string,
): readonly number[] {
  const first = titleRowsOf(description).filter((row) => mask === undefined || passes(mask, row))
  if (first.length === 0) return rows
  return [...first, ...rows.filter((row) => !first.includes(row))]
}

const ranksOf = (hits: readonly { readonly row: number }[]): ReadonlyMap<number, number> =>
  new Map(hits.map(({ row }, position) => [row, position]))

/**
 * A page for each description. Reads both lists to the same depth for every page, so that all pages are
 * slices of one order.
 * @param vectors of the descriptions, in their order
 */
export async function hybridSearch(
  request: SearchRequest,
  collection: Collection,
  vectors: readonly Float32Array[],
  { catalogue, descriptions }: HybridWords,
): Promise<readonly HitPage[]> {
  const depth = Math.min(maxResultWindow, countSemantic(request, collection))
  // A vector is zero where the model knows no token of the description: nothing is similar.
  const isKnown = vectors.map((vector) => vector.some((value) => value !== 0))
  const known = vectors.filter((_, i) => isKnown[i])
  const scanned = (await scanVectors(request, collection, known, depth)).values()
  const lists = isKnown.map((known) => (known ? scanned.next().value : undefined) ?? noHits)
  const fused = (list: (typeof lists)[number], i: number) =>
    fusedPage(request, list, catalogue, descriptions[i] ?? '')
  return inTurns(lists, fused, request.signal)
}

/** Where a hybrid search finds words, and which. */
export interface HybridWords {
  readonly catalogue: Pick<Catalogue, 'lexical'>
  readonly descriptions: readonly string[]
}

async function fusedPage(
  request: SearchRequest,
  { hits: semanticHits, device }: SemanticHits,
  catalogue: Pick<Catalogue, 'lexical'>,
  description: string,
): Promise<HitPage> {
  const { dataset, mask, page, resultsPerPage } = request
  const lexicalHits = await catalogue.lexical(dataset.name, description, maxResultWindow, mask)
  const fused = fuseRanks(
    [semanticHits.map(({ row }) => row), lexicalHits.map(({ row }) => row)],
    Infinity,
  )
  const scores = new Map(fused.map(({ row, score }) => [row, score]))
  const rows = withTitles([...scores.keys()], request, description)
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
  return mask === undefined ? validRows : countCommonRows(mask, valid)
}

type SemanticHits = Pick<HitPage, 'hits' | 'device'>

const noHits: SemanticHits = { hits: [] }

/** The first `count` by similarity to each vector, in one scan. */
async function scanVectors(
  { mask, signal }: SearchRequest,
  { index, columns }: Collection,
  vectors: readonly Float32Array[],
  count: number,
): Promise<readonly SemanticHits[]> {
  if (count === 0) return vectors.map(() => noHits)
  const found = await searchEach(index, vectors, count, { mask, signal })
  return found.map(({ rows, columns: positions, scores, device }) => {
    const hits: Hit[] = []
    for (let position = 0; position < rows.length; position += 1) {
      const column = columns[positions[position] ?? 0] ?? 0
      hits.push({ row: rows[position] ?? 0, similarity: scores[position] ?? 0, column })
    }
    return { hits, device }
  })
}
