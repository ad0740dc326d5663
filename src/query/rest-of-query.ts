/** What a query describes beside what was read from it, and how much of it the readings explain. */
import type { AskedQuery, WordUse } from './asked-query.js'
import type { Interpretation, Span } from './interpretation.js'
import type { FactHit } from './negation.js'
import type { PhraseTable } from './phrase-table.js'
import type { QueryWord } from './query-words.js'

/** What is made of the words of a fact. */
export const useOf = ({ fact, isNarrow = false, isInTexts = false }: FactHit): WordUse => {
  if (fact.kind !== 'topic' && !isInTexts) return 'fact'
  return isNarrow ? 'narrow' : 'topic'
}

/** How much of a word its reading explains. */
const explains: Readonly<Record<WordUse, number>> = {
  text: 0,
  topic: 1,
  narrow: 0.7,
  fact: 1,
  reference: 1,
  excluded: 1,
}

const isOfFact = (use: WordUse | undefined): boolean =>
  use === 'fact' || use === 'topic' || use === 'narrow'

/** Words read so are no words of a title: `shoujo with magic` is no Mahou Shoujo. */
export const inNoTitle = (use: WordUse | undefined): boolean => use === 'fact' || use === 'excluded'

/** Whether all words of a span are read as facts: the oscar of `oscar winning` is nobody, nor is the inoue of `by inoue`. */
export const isOnlyFact = (
  words: readonly QueryWord[],
  uses: readonly WordUse[],
  { begin, end }: Span,
): boolean => words.every((word, at) => inNoTitle(uses[at]) || word.begin < begin || end < word.end)

export function describe(
  asked: Pick<AskedQuery, 'query' | 'words' | 'isFiller' | 'isWish' | 'tables'>,
  uses: readonly WordUse[],
): Pick<Interpretation, 'text' | 'explained' | 'isWish'> {
  const { query, words, isFiller, isWish } = asked
  const isTextAt = (position: number) => (uses[position] ?? 'text') === 'text'
  // The `or` of `one shots or short series` says nothing.
  const isJoin = (position: number) =>
    isWish &&
    asked.tables.joins.longestAt(words, position)?.length === 1 &&
    [position - 1, position + 1].every((beside) => isOfFact(uses[beside]))
  const isNothing = (position: number) => isFiller[position] === true || isJoin(position)
  const telling = words.flatMap((_, position) =>
    isTextAt(position) && isNothing(position) ? [] : [uses[position] ?? 'text'],
  )
  const explained =
    telling.reduce((sum, use) => sum + explains[use], 0) / Math.max(1, telling.length)
  const isLeft = (position: number) => {
    const use = uses[position] ?? 'text'
    if (use === 'reference' || use === 'excluded') return false
    // A told story keeps all its words; of a wish those stay that texts may have.
    return !isWish || (use !== 'fact' && !isNothing(position))
  }
  return { text: sliceWords(query, words, isLeft), explained, isWish }
}

export function fillerOf(
  words: readonly QueryWord[],
  filler: PhraseTable<true>,
): readonly boolean[] {
  const isFiller = words.map(() => false)
  for (let position = 0; position < words.length;) {
    const length = filler.longestAt(words, position)?.length ?? 0
    isFiller.fill(true, position, position + length)
    position += Math.max(1, length)
  }
  return isFiller
}

/** The longest filler that a fact may stand in, in words. */
const maxFillerWords = 5

/** Whether words are part of a longer phrase that says nothing: `original` of `netflix original`, `by one` of `one by one`. */
export function isPartOfFiller(
  words: readonly QueryWord[],
  position: number,
  length: number,
  filler: PhraseTable<true>,
): boolean {
  for (let begin = Math.max(0, position - maxFillerWords); begin <= position; begin += 1) {
    const covered = filler.longestAt(words, begin)?.length ?? 0
    if (covered > length && begin + covered >= position + length) return true
  }
  return false
}

/** The words that are left, with what stands between neighbours. */
function sliceWords(
  query: string,
  words: readonly QueryWord[],
  isLeft: (position: number) => boolean,
): string {
  const parts: string[] = []
  for (let position = 0; position < words.length; position += 1) {
    if (!isLeft(position)) continue
    const begin = words[position]?.begin ?? 0
    while (isLeft(position + 1) && position + 1 < words.length) position += 1
    parts.push(query.slice(begin, words[position]?.end))
  }
  return parts.join(' ')
}
