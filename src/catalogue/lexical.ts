/** Full-text search: the postings of a query's stems, added up row by row. */
import type Database from 'better-sqlite3'
import type { DatasetInfo, LexicalHit } from './catalogue.js'
import { unpackPostings } from './postings.js'
import { datasetNumber } from './schema.js'
import { topHits } from './top-hits.js'
import { splitWords, withoutStopWords, type Stemmer } from './words.js'

export type LexicalSearch = (query: string, limit: number) => LexicalHit[]

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
  const scores = new Float64Array(rowCount)
  return (query, limit) => {
    const words = withoutStopWords(splitWords(query))
    if (words.length === 0 || limit < 1) return []
    scores.fill(0)
    for (const stem of stemmer.stemsOf(words)) {
      const packed = postingsOf.get(number, stem)
      if (packed !== undefined) addImpacts(scores, packed)
    }
    return topHits(scores, limit)
  }
}

function addImpacts(scores: Float64Array, packed: Buffer): void {
  const { rows, impacts } = unpackPostings(packed)
  for (let position = 0; position < rows.length; position += 1) {
    const row = rows[position] ?? 0
    scores[row] = (scores[row] ?? 0) + (impacts[position] ?? 0)
  }
}
