/** Full-text search: the postings of a query's stems, added up row by row. */
import type Database from 'better-sqlite3'
import type { DatasetInfo, LexicalHit } from './catalogue.js'
import { unpackPostings } from './postings.js'
import type { RowMask } from './row-mask.js'
import { datasetNumber } from './schema.js'
import { topHits } from './top-hits.js'
import { splitWords, withoutStopWords, type Stemmer } from './words.js'

export interface LexicalSearch {
  /** The best `limit` rows that pass, each with a score above 0. */
  hits(query: string, limit: number, mask: RowMask | undefined): LexicalHit[]
  /** Scores of those rows. */
  scores(query: string, rows: Uint32Array): Float32Array
}

/** As many as are under way at once, and then some. */
const recentQueries = 64

/** Any text is a query: it is taken apart into words and has no syntax. */
export function prepareLexical(
  database: Database.Database,
  stemmer: Stemmer,
  { name, rows: rowCount }: DatasetInfo,
): LexicalSearch {
  const number = datasetNumber(name)
  const postingsOf = database
    .prepare<[number, string], Buffer>('SELECT postings FROM stems WHERE dataset = ? AND stem = ?')
    .pluck()
  /** Of every row, for the query that came last. */
  const scores = new Float64Array(rowCount)
  /** A search asks twice: which rows have the words, and later how well some rows have them. */
  const recent = new Map<string, readonly string[]>()

  function stemsOf(query: string): readonly string[] {
    const known = recent.get(query)
    if (known !== undefined) return known
    const words = withoutStopWords(splitWords(query))
    const stems = words.length === 0 ? [] : stemmer.stemsOf(words)
    recent.set(query, stems)
    for (const oldest of recent.keys()) {
      if (recent.size <= recentQueries) break
      recent.delete(oldest)
    }
    return stems
  }

  function scoreAll(query: string): void {
    scores.fill(0)
    for (const stem of stemsOf(query)) {
      const packed = postingsOf.get(number, stem)
      if (packed !== undefined) addImpacts(scores, packed)
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

function addImpacts(scores: Float64Array, packed: Buffer): void {
  const { rows, impacts } = unpackPostings(packed)
  for (let position = 0; position < rows.length; position += 1) {
    const row = rows[position] ?? 0
    scores[row] = (scores[row] ?? 0) + (impacts[position] ?? 0)
  }
}
