/** Which of the meanings of a phrase is meant where it stands. */
import { type FactPhrase, oneWordConfidence } from './fact-phrases.js'
import type { QueryTables } from './query-tables.js'
import { type QueryWord, stemOf } from './query-words.js'
import { isWorkAt } from './wish.js'

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

type Tables = Pick<QueryTables, 'facts' | 'filler' | 'joins' | 'makerWords'>

/** Whether a word says something of its own of the next one: `silver eyes`, where `trigger mecha` names a studio. */
function isBeforeOther(words: readonly QueryWord[], position: number, tables: Tables): boolean {
  const next = position + 1
  if (next >= words.length || words[position]?.endsClause === true) return false
  const { facts, filler } = tables
  return (
    ![facts, filler].some((table) => table.longestAt(words, next)) && !isWorkAt(words, next, tables)
  )
}

/** The best of the meanings that fit where the words stand. */
export function choosePhrase(
  values: readonly FactPhrase[],
  words: readonly QueryWord[],
  position: number,
  tables: Tables,
  isWish: boolean,
): FactPhrase | undefined {
  const followsMaker =
    isWish &&
    [1, 2].some((length) => {
      const begin = position - length
      return begin >= 0 && tables.makerWords.longestAt(words, begin)?.length === length
    })
  const standsAlone = isWish && isNameBeforeWork(words, position, values)
  const fitting = values.filter(({ needsMaker }) => followsMaker || standsAlone || !needsMaker)
  const isMaker = ({ fact: { kind } }: FactPhrase) => kind === 'studio' || kind === 'person'
  const named = followsMaker ? fitting.find(isMaker) : undefined
  if (named !== undefined) return { ...named, confidence: 0.95 }
  const isPlainWord = !isWish || isBeforeOther(words, position, tables)
  const sure = isPlainWord
    ? fitting.filter((value) => !isMaker(value) || value.confidence > oneWordConfidence)
    : fitting
  return sure.toSorted((one, other) => other.confidence - one.confidence)[0]
}
