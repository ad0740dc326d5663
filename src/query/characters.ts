/** The works of characters whose names a query has: `the one with goku`, `levi ackerman and eren`. */
import type { Span, TitleLookup } from './interpretation.js'
import { isNameOfMaker } from './named-makers.js'
import type { QueryTables } from './query-tables.js'
import type { QueryWord } from './query-words.js'
import { partOfTitle, readTitle, sameTitle, type TitleReading } from './read-title.js'
import { fillerOf } from './rest-of-query.js'
import { maxWishWords } from './wish.js'

export interface CharacterReadings {
  /** The query as a whole, where it has nothing else. */
  readonly whole: TitleReading | undefined
  readonly parts: readonly TitleReading[]
}

/** How sure a name names the work of whom it is, alone and beside other words. A tiger of a story is no character. */
const sureAlone = { full: 0.97, word: 0.93, plain: 0.91, shared: 0.91 }
const sureBeside = { full: 0.9, word: 0.72, plain: 0, shared: 0 }
/** Who says that somebody is called so is sure of it. */
const sureCalled = 0.97
/** Surer than a subject: a maker of that name is little known beside the work. */
const sureOutshining = 0.99

export function readCharacters(
  words: readonly QueryWord[],
  { facts, filler, known, bearers }: Pick<QueryTables, 'facts' | 'filler' | 'known' | 'bearers'>,
  {
    characters,
    called,
    outshines,
    isWord,
  }: Pick<TitleLookup, 'characters' | 'called' | 'outshines' | 'isWord'>,
): CharacterReadings {
  const parts: TitleReading[] = []
  if (characters === undefined) return { whole: undefined, parts }
  const isFiller = fillerOf(words, filler)
  const folded = words.map((word) => word.folded)
  const isBesideName = (position: number) =>
    [position - 1, position + 1].some((at) => characters(folded.slice(at, at + 1)) !== undefined)
  let others = 0
  let sure = 0
  let hasUntold = false
  for (let position = 0; position < words.length;) {
    const told = isCalledAt(words, position, bearers) ? called?.(folded.slice(position)) : undefined
    if (told?.isTelling) {
      others += 1
      parts.push(readingOf(spanOf(words, position, told.length), told.name, told.rows, sureCalled))
      position += told.length
      continue
    }
    const found = characters(folded.slice(position))
    const { length = 1, name: label = '', rows = [] } = found ?? {}
    const isOne =
      length === 1 &&
      (isFiller[position] === true ||
        known.has(words[position]?.stem ?? '') ||
        isMaker(words, position, facts))
    const makers = facts.longestAt(words, position)
    // `rumiko takahashi` is no Rumiko.
    if (makers !== undefined && makers.length > length) {
      others += 1
      position += makers.length
      continue
    }
    if (found === undefined || isOne) {
      // Of `obito uchiha`, who is not known, one name is told nowhere.
      const isUntold = () =>
        makers === undefined && isWord?.(folded[position] ?? '') === false && isBesideName(position)
      if (others === 0 && !isFiller[position] && isUntold()) hasUntold = true
      else others += isFiller[position] ? 0 : 1
    } else {
      const isBetterKnown =
        makers?.length === length &&
        makers.values.every(({ fact }) => rows.every((row) => outshines?.(row, fact)))
      sure = Math.max(sure, isBetterKnown ? sureOutshining : sureAlone[found.kind])
      parts.push(readingOf(spanOf(words, position, length), label, rows, sureBeside[found.kind]))
    }
    position += found === undefined || isOne ? 1 : length
  }
  const [first] = parts
  if (first === undefined || others > 0) {
    return { whole: undefined, parts: parts.filter(({ confidence }) => confidence > 0) }
  }
  const span = { begin: first.begin, end: parts.at(-1)?.end ?? first.end }
  const rows = [...new Set(parts.flatMap((part) => part.rows))]
  // `best teaher baek` rather is a title with a typo.
  const whole = readingOf(span, first.label, rows, hasUntold ? Math.min(sure, partOfTitle) : sure)
  return { whole, parts }
}

/** Whether somebody is called what stands at a word, and no more is told: `a girl called holo`. */
const isCalledAt = (
  words: readonly QueryWord[],
  position: number,
  bearers: QueryTables['bearers'],
): boolean =>
  words.length <= maxWishWords &&
  leadsToName.has(words[position - 1]?.folded ?? '') &&
  words[position - 2]?.folded !== 'one' &&
  bearers.lengthBefore(words, position - 1) > 0
const leadsToName = new Set(['called', 'named'])

const spanOf = (words: readonly QueryWord[], position: number, length: number): Span => ({
  begin: words[position]?.begin ?? 0,
  end: words[position + length - 1]?.end ?? 0,
})

/** `madhouse anime` is by the studio, whoever else has the name, and `miyazaki stuff` by him. */
const isMaker = (
  words: readonly QueryWord[],
  position: number,
  facts: QueryTables['facts'],
): boolean => {
  const hit = facts.longestAt(words, position)
  const isStudio = hit?.values.some(
    ({ fact, confidence }) => fact.kind === 'studio' && confidence > 0,
  )
  return isStudio === true || (hit !== undefined && isNameOfMaker(words, position, hit))
}

const readingOf = (
  { begin, end }: Span,
  label: string,
  rows: readonly number[],
  confidence: number,
): TitleReading => ({ kind: 'title', begin, end, label, confidence, excluded: false, rows })

/**
 * The title that a query is, or the name that it has. A title of the same words is surer: `naruto` and `sasuke` are
 * works. But a name that is spelt right is no typo of a title: `gojo` is not JoJo.
 */
export function titleOrName(
  query: string,
  match: TitleLookup['match'],
  name: TitleReading | undefined,
  titles: Pick<TitleLookup, 'exact' | 'misremembered'>,
): TitleReading | undefined {
  const title = readTitle(query, match, titles)
  if (title === undefined || name === undefined) return title ?? name
  const isTypo =
    title.confidence < sameTitle && titles.exact(query).length === 0 && !/\s/.test(query.trim())
  return isTypo || name.confidence > title.confidence ? name : title
}
