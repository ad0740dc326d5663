/** A work that a query does not want: `mecha but not Gundam`. */
import type { Reading, TitleLookup, TitleMatch } from './interpretation.js'
import { type QueryWord, queryWords } from './query-words.js'
import { partOfTitle } from './read-title.js'

export interface ExcludedTitle extends TitleMatch {
  readonly end: number
  readonly rows: readonly number[]
}

export interface TitleAfterOptions {
  readonly titles: Pick<TitleLookup, 'exact' | 'match'>
  /** Words of the fact that begins there; a title is longer. */
  readonly factLength: number
  /** Whether something else begins at a word, such as `but`. */
  readonly endsAt: (position: number) => unknown
}

const maxTitleWords = 12
/** So many words may be a part of a title. */
const maxPartWords = 3
const minPartLength = 5

/** The longest title that begins at a word; else titles of which the rest of the clause is part, where no fact begins. */
export function titleAfter(
  query: string,
  words: readonly QueryWord[],
  from: number,
  { titles, factLength, endsAt }: TitleAfterOptions,
): ExcludedTitle | undefined {
  const textTo = (end: number) => query.slice(words[from]?.begin, words[end - 1]?.end)
  const longest = Math.min(words.length, from + maxTitleWords)
  for (let end = longest; end > from + factLength; end -= 1) {
    const found = withRows(titles.exact(textTo(end)), end)
    if (found !== undefined) return found
  }
  if (factLength > 0) return undefined
  let end = from
  while (end < words.length && endsAt(end) === undefined) {
    end += 1
    if (words[end - 1]?.endsClause) break
  }
  const text = textTo(end)
  if (end === from || end - from > maxPartWords || text.length < minPartLength) return undefined
  return withRows(
    titles.match(text).filter((match) => match.similarity >= partOfTitle && hasWords(match, text)),
    end,
  )
}

/** `dense` begins Densetsu and names it not. */
function hasWords({ title, similarity }: TitleMatch, text: string): boolean {
  const words = new Set(queryWords(title).map(({ folded }) => folded))
  return similarity > partOfTitle || queryWords(text).every(({ folded }) => words.has(folded))
}

function withRows(matches: readonly TitleMatch[], end: number): ExcludedTitle | undefined {
  const [best] = matches
  if (best === undefined) return undefined
  const same = matches.filter(({ similarity }) => similarity === best.similarity)
  return { ...best, end, rows: [...new Set(same.map(({ row }) => row))] }
}

/** Without titles that were found inside of what is excluded. */
export function withoutExcluded(readings: readonly Reading[]): readonly Reading[] {
  const excluded = readings.filter((reading) => reading.kind === 'title' && reading.excluded)
  return readings.filter(
    (reading) =>
      reading.kind !== 'title' ||
      reading.excluded ||
      !excluded.some(({ begin, end }) => reading.begin < end && begin < reading.end),
  )
}
