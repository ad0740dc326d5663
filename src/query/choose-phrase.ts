/** Which of the meanings of a phrase is meant where it stands. */
import { type FactPhrase, oneWordConfidence } from './fact-phrases.js'
import type { PhraseTable } from './phrase-table.js'
import { type QueryWord, stemOf } from './query-words.js'

/** A shorter name is too often another word. */
const minNameLength = 5
const workWords = new Set(
  ['anime', 'manga', 'manhwa', 'movie', 'film', 'work', 'style'].map(stemOf),
)

/** `urasawa manga`: who has the name alone, and what follows is made by somebody. */
function isNameBeforeWork(
  words: readonly QueryWord[],
  position: number,
  values: readonly FactPhrase[],
): boolean {
  const [name, next] = [words[position], words[position + 1]]
  const isName = values.every(({ fact }) => fact.kind === 'person')
  if (!isName || (name?.folded.length ?? 0) < minNameLength) return false
  return next === undefined ? position === 0 : workWords.has(next.stem)
}

/** The best of the meanings that fit where the words stand. */
export function choosePhrase(
  values: readonly FactPhrase[],
  words: readonly QueryWord[],
  position: number,
  makerWords: PhraseTable<true>,
  isWish: boolean,
): FactPhrase | undefined {
  const followsMaker =
    isWish &&
    [1, 2].some((length) => {
      const begin = position - length
      return begin >= 0 && makerWords.longestAt(words, begin)?.length === length
    })
  const standsAlone = isWish && isNameBeforeWork(words, position, values)
  const fitting = values.filter(({ needsMaker }) => followsMaker || standsAlone || !needsMaker)
  const isMaker = ({ fact: { kind } }: FactPhrase) => kind === 'studio' || kind === 'person'
  const named = followsMaker ? fitting.find(isMaker) : undefined
  if (named !== undefined) return { ...named, confidence: 0.95 }
  const sure = isWish
    ? fitting
    : fitting.filter((value) => !isMaker(value) || value.confidence > oneWordConfidence)
  return sure.toSorted((one, other) => other.confidence - one.confidence)[0]
}
