/** Full-text search: the postings of a query's stems, added up row by row. */
import type Database from 'better-sqlite3'
import { LRUCache } from 'lru-cache'
import { unpackPostings, type UnpackedPostings } from './postings.js'
import type { RowMask } from '../util/row-mask.js'
import { spellingKey } from './spellings.js'
import { topHits, type LexicalHit } from './top-hits.js'
import { splitWords, withoutStopWords, type Stemmer } from './words.js'

export interface LexicalSearch {
  /** The best `limit` rows that pass, each with a score above 0. */
  hits(query: string, limit: number, mask: RowMask | undefined): LexicalHit[]
  /** Scores of those rows. */
  scores(query: string, rows: Uint32Array): Float32Array
}

/** A search asks twice, and others ask between: as many as are under way at once, and then some. */
const recentQueries = 128
/** Of postings that are kept, of each dataset: most queries have the same few hundred stems. */
const recentBytes = 8 * 1024 * 1024

/**
 * Any text is a query: it is taken apart into words and has no syntax.
 * @param dataset its number in the catalogue's tables
 */
export function prepareLexical(
  database: Database.Database,
  stemmer: Stemmer,
  { dataset, rows: rowCount }: { readonly dataset: number; readonly rows: number },
): LexicalSearch {
  const packedPostings = database
    .prepare<[number, string], Buffer>('SELECT postings FROM stems WHERE dataset = ? AND stem = ?')
    .pluck()
  /** Of every row, for the query that came last. */
  const scores = new Float64Array(rowCount)
  const recentKeys = new LRUCache<string, readonly string[]>({ max: recentQueries })
  const recentPostings = new LRUCache<string, UnpackedPostings>({ maxSize: recentBytes })

  /** What the query's stems are kept under: themselves, or else the keys of their spellings. */
  function keysOf(query: string): readonly string[] {
    const known = recentKeys.get(query)
    if (known !== undefined) return known
    const words = withoutStopWords(splitWords(query))
    const stems = words.length === 0 ? [] : stemmer.stemsOf(words)
    const isKept = (stem: string) => postingsOf(stem) !== undefined
    const keys = [...new Set(stems.map((stem) => (isKept(stem) ? stem : spellingKey(stem))))]
    recentKeys.set(query, keys)
    return keys
  }

  function postingsOf(key: string): UnpackedPostings | undefined {
    const known = recentPostings.get(key)
    if (known !== undefined) return known
    const packed = packedPostings.get(dataset, key)
    if (packed === undefined) return undefined
    const postings = unpackPostings(packed)
    recentPostings.set(key, postings, { size: packed.length })
    return postings
  }

  function scoreAll(query: string): void {
    scores.fill(0)
    for (const key of keysOf(query)) {
      const postings = postingsOf(key)
      if (postings !== undefined) addImpacts(scores, postings)
    }
  }

  return {
    hits(query, limit, mask) {
      if (limit < 1) return []
      scoreAll(query)
      return topHits(scores, limit, { above: 0, mask })
    },
    scores(query, rows) {
      scoreAll(query)
      const answer = new Float32Array(rows.length)
      rows.forEach((row, position) => (answer[position] = scores[row] ?? 0))
      return answer
    },
  }
}

function addImpacts(scores: Float64Array, { rows, impacts }: UnpackedPostings): void {
  for (let position = 0; position < rows.length; position += 1) {
    const row = rows[position] ?? 0
    scores[row] = (scores[row] ?? 0) + (impacts[position] ?? 0)
  }
}
