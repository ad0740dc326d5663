/** A query that is being read, and what has been read of it. A step is given both, and returns the second anew. */
import type { Reading, Span, TitleLookup } from './interpretation.js'
import type { QueryTables } from './query-tables.js'
import type { QueryWord } from './query-words.js'

export interface AskedQuery {
  readonly query: string
  readonly words: readonly QueryWord[]
  /** Of each word, whether it says nothing where it stands. */
  readonly isFiller: readonly boolean[]
  /** Whether the query lists what is wanted; else it tells a story. */
  readonly isWish: boolean
  readonly tables: QueryTables
  readonly titles: TitleLookup
  /** Spans that are no readings: their words stay text. */
  readonly ignored: readonly Span[]
}

/**
 * `topic`: read as a fact, and something that texts tell, too. `narrow`: the same, of which texts tell more.
 * `fact`: something that no text tells.
 */
export type WordUse = 'text' | 'topic' | 'narrow' | 'fact' | 'reference' | 'excluded'

export interface PartlyRead {
  readonly readings: readonly Reading[]
  /** Of each word, what it is read as. */
  readonly uses: readonly WordUse[]
}

export const unread = ({ words }: Pick<AskedQuery, 'words'>): PartlyRead => ({
  readings: [],
  uses: words.map(() => 'text'),
})

/** Where words [begin, end) stand in the query. */
export const spanOf = (
  { query, words }: Pick<AskedQuery, 'query' | 'words'>,
  begin: number,
  end: number,
): Span => ({ begin: words[begin]?.begin ?? 0, end: words[end - 1]?.end ?? query.length })

export const isIgnored = (
  { ignored }: Pick<AskedQuery, 'ignored'>,
  { begin, end }: Span,
): boolean => ignored.some((span) => span.begin < end && begin < span.end)

/** Whether a word may begin a reading. */
export function isFree(
  asked: Pick<AskedQuery, 'words' | 'ignored'>,
  uses: readonly WordUse[],
  position: number,
): boolean {
  const word = asked.words[position]
  return word !== undefined && uses[position] === 'text' && !isIgnored(asked, word)
}

/** Whether a word is inside one of the spans. */
export const isInOneOf = (spans: readonly Span[], word: Span | undefined): boolean =>
  word !== undefined && spans.some(({ begin, end }) => begin <= word.begin && word.end <= end)
