/** Full-text search: sums the postings of the query's stems for each row. */
import type { Database } from '../util/sqlite.js'
import { LRUCache } from 'lru-cache'
import { unpackPostings, type UnpackedPostings } from './postings.js'
import type { RowMask } from '../util/row-mask.js'
import { splitWords, withoutStopWords } from '../text/searched-words.js'
import { spellingKey } from '../text/spelling-key.js'
import type { Stemmer } from '../text/stemmer.js'
import { topHits, type LexicalHit } from './top-hits.js'

export interface LexicalSearch {
  /** The best `limit` rows that pass, each with a score above 0. */
  hits(query: string, limit: number, mask: RowMask | undefined): LexicalHit[]
  /** Scores of those rows. */
  scores(query: string, rows: Uint32Array): Float32Array
  /** Every row with a word of the query, ascending. */
  rowsWith(query: string): Uint32Array
}

/** One search reads the keys twice. Room for the queries of more searches than run at once. */
const recentQueries = 128
/** Size of the postings cache of a dataset: most queries share a few hundred stems. */
const recentBytes = 8 * 1024 * 1024

/**
 * Any text is a valid query. It is split into words and has no syntax.
 * @param dataset its number in the catalogue's tables
 */
export function prepareLexical(
  database: Database,
  stemmer: Stemmer,
  { dataset, rows: rowCount }: { readonly dataset: number; readonly rows: number },
): LexicalSearch {
  const packedPostings = database
    .prepare<[number, string], Buffer>('SELECT postings FROM stems WHERE dataset = ? AND stem = ?')
    .pluck()
  /** Scores of every row for the last query: a search asks for its hits, and then for the scores of its candidates. */
  const scores = new Float64Array(rowCount)
  let scored: string | undefined
  const recentKeys = new LRUCache<string, readonly string[]>({ max: recentQueries })
  const recentPostings = new LRUCache<string, UnpackedPostings>({ maxSize: recentBytes })

  /** Keys of the query's stems in the index: a stem itself, or the key of its spelling. */
  function keysOf(query: string): readonly string[] {
    const cached = recentKeys.get(query)
    if (cached !== undefined) return cached
    const words = withoutStopWords(splitWords(query))
    const stems = words.length === 0 ? [] : stemmer.stemsOf(words)
    const isKept = (stem: string) => postingsOf(stem) !== undefined
    const keys = [...new Set(stems.map((stem) => (isKept(stem) ? stem : spellingKey(stem))))]
    recentKeys.set(query, keys)
    return keys
  }

  function postingsOf(key: string): UnpackedPostings | undefined {
    const cached = recentPostings.get(key)
    if (cached !== undefined) return cached
    const packed = packedPostings.get(dataset, key)
    if (packed === undefined) return undefined
    const postings = unpackPostings(packed)
    recentPostings.set(key, postings, { size: packed.length })
    return postings
  }

  const allPostings = (query: string): readonly UnpackedPostings[] =>
    keysOf(query).flatMap((key) => postingsOf(key) ?? [])

  function scoreAll(query: string): void {
    if (query === scored) return
    // Reading the postings may fail.
    scored = undefined
    const all = allPostings(query)
    scores.fill(0)
    for (const postings of all) addImpacts(scores, postings)
    scored = query
  }

  return {
    hits(query, limit, mask) {
      if (limit < 1) return []
      scoreAll(query)
      return topHits(scores, limit, { above: 0, mask })
    },
    scores(query, rows) {
      scoreAll(query)
      const selected = new Float32Array(rows.length)
      rows.forEach((row, position) => (selected[position] = scores[row] ?? 0))
      return selected
    },
    rowsWith(query) {
      const [first, ...others] = allPostings(query)
      if (first === undefined) return new Uint32Array(0)
      if (others.length === 0) return first.rows
      const rows = new Set([first, ...others].flatMap(({ rows }) => [...rows]))
      return Uint32Array.from(rows).sort()
    },
  }
}

function addImpacts(scores: Float64Array, { rows, impacts }: UnpackedPostings): void {
  for (let position = 0; position < rows.length; position += 1) {
    const row = rows[position] ?? 0
    scores[row] = (scores[row] ?? 0) + (impacts[position] ?? 0)
  }
}
