/** Full-text search: finds the stems of a query in the index of rows, which sums their impacts for each row. */
import { LRUCache } from 'lru-cache'
import { notFound, type RowIndex } from '../../native/addon/row-index.js'
import type { RowMask } from '../../base/util/row-mask.js'
import { splitWords, withoutStopWords } from '../../base/text/searched-words.js'
import { spellingKey } from '../../base/text/spelling-key.js'
import type { Stemmer } from '../../base/text/stemmer.js'

export interface LexicalHit {
  readonly row: number
  /** bm25, higher is better. */
  readonly score: number
}

export interface LexicalSearch {
  /** The best `limit` rows that pass, each with a score above 0. */
  hits(query: string, limit: number, mask: RowMask | undefined): Promise<readonly LexicalHit[]>
  /** The numbers of its stems in the index, each once; a stem that the index lacks is looked up by its spelling. */
  stemsOf(query: string): Uint32Array
  /** Scores of those rows. */
  scores(query: string, rows: Uint32Array): Promise<Float32Array>
  /** Every row with a word of the query, ascending. */
  rowsWith(query: string): Uint32Array
}

/** One search looks its stems up twice. Room for the queries of more searches than run at once. */
const recentQueries = 128

/** Any text is a valid query. It is split into words and has no syntax. */
export function createLexicalSearch(stemmer: Stemmer, index: RowIndex): LexicalSearch {
  const recent = new LRUCache<string, Uint32Array>({ max: recentQueries })

  function stemsOf(query: string): Uint32Array {
    const cached = recent.get(query)
    if (cached !== undefined) return cached
    const words = withoutStopWords(splitWords(query))
    const stems = words.length === 0 ? [] : stemmer.stemsOf(words)
    const own = index.findStems(stems)
    const bySpelling = index.findStems(stems.map(spellingKey))
    const found = own.map((number, stem) =>
      number === notFound ? (bySpelling[stem] ?? notFound) : number,
    )
    const numbers = Uint32Array.from(new Set(found.filter((number) => number !== notFound)))
    recent.set(query, numbers)
    return numbers
  }

  return {
    stemsOf,
    async hits(query, limit, mask) {
      if (limit < 1) return []
      const { rows, scores } = await index.search(stemsOf(query), limit, mask)
      return Array.from(rows, (row, position) => ({ row, score: scores[position] ?? 0 }))
    },
    scores: (query, rows) => index.score(stemsOf(query), rows),
    rowsWith: (query) => index.rowsWith(stemsOf(query)),
  }
}
