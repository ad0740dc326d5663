/** A title beside those who made the work: `berserk miura`, `monster by urasawa`, `madhouse nana`. */
import type { Fact, TitleLookup, TitleMatch } from './interpretation.js'
import type { QueryTables } from './query-tables.js'
import { type QueryWord, stemOf } from './query-words.js'
import { bestTitle, named, partOfTitle, type TitleReading, withoutAround } from './read-title.js'
import { fillerOf } from './rest-of-query.js'
import { areFacts } from './subject.js'

export type MadeTables = Pick<
  QueryTables,
  'facts' | 'filler' | 'around' | 'makerEras' | 'makerWords'
>

/** Of the phrases for makers, such as `directed by`; longer ones exclude: `by anyone but`. */
const maxMakerWords = 2

/**
 * The title that a query is beside its maker. That they made exactly this work is no chance, so it is surer than a
 * character of that name and than a subject: `monster urasawa`.
 */
export function readMadeTitle(
  query: string,
  typed: readonly QueryWord[],
  tables: MadeTables,
  titles: TitleLookup,
): TitleReading | undefined {
  const { madeBy, exact, match, known } = titles
  if (madeBy === undefined) return undefined
  const words = typed.map((word) => withoutPossessive(query, word))
  const spans = [...words.keys()].flatMap((at) => besideMaker(words, at, tables))
  if (spans.length === 0 || exact(query).length > 0) return undefined
  for (const { title, makers } of spans) {
    const isMade = ({ row }: TitleMatch) => makers.some((maker) => madeBy(row, maker))
    for (const [begin, end] of [title, within(words, title, tables)]) {
      const text = query.slice(typed[begin]?.begin, typed[end - 1]?.end)
      const parts = () => [...match(text), ...(known?.(text) ?? [])].filter(isPart)
      // `romance kyoani` is a subject, if no title that is spelt so.
      const isPlain = isSubject(words.slice(begin, end), tables)
      const made = [exact(text), isPlain ? [] : parts()].map((found) => found.filter(isMade))
      const best = bestTitle(made.find((found) => found.length > 0) ?? [], spanOf(query))
      if (best !== undefined) return { ...best, confidence: named }
    }
  }
  return undefined
}

interface BesideMaker {
  readonly title: readonly [begin: number, end: number]
  readonly makers: readonly Fact[]
}

/** The words before or after a maker who begins at a word, where nothing else is said. */
function besideMaker(words: readonly QueryWord[], at: number, tables: MadeTables): BesideMaker[] {
  const { length = 0, values = [] } = tables.facts.longestAt(words, at) ?? {}
  const makers = values
    .filter(({ spelt = words[at]?.folded }) => spelt === words[at]?.folded)
    .map(({ fact }) => fact)
    .filter(({ kind }) => kind === 'studio' || kind === 'person')
  if (makers.length === 0) return []
  const lengths = [...Array(maxMakerWords + 1).keys()].toReversed()
  const said = lengths.find((length) => saysMaker(words, at - length, length, tables)) ?? 0
  const sides = [
    [0, at - said],
    [at + length, words.length],
  ] as const
  return sides.flatMap(([begin, end], side) => {
    const [from, to] = within(words, sides[1 - side] ?? [0, 0], tables)
    return begin < end && from >= to ? [{ title: [begin, end], makers }] : []
  })
}

const saysMaker = (words: readonly QueryWord[], at: number, length: number, tables: MadeTables) =>
  at >= 0 && tables.makerWords.longestAt(words, at)?.length === length

/** Without `anime`, `the` and the like around it. */
function within(
  words: readonly QueryWord[],
  [begin, end]: readonly [number, number],
  { around }: MadeTables,
): readonly [number, number] {
  const [from, to] = withoutAround(words.slice(begin, end), around)
  return [begin + from, begin + to]
}

/** `early` of `early shinkai movies` is no part of a title. */
function isSubject(all: readonly QueryWord[], tables: MadeTables): boolean {
  const words = all.slice(tables.makerEras.longestAt(all, 0)?.length ?? 0)
  return areFacts(words, tables) || fillerOf(words, tables.filler).every(Boolean)
}

const isPart = ({ similarity }: TitleMatch): boolean => similarity >= partOfTitle

const spanOf = (query: string) => ({ begin: 0, end: query.length })

/** `urasawa's monster`. */
function withoutPossessive(query: string, word: QueryWord): QueryWord {
  if (!/['’]s$/i.test(query.slice(word.begin, word.end))) return word
  const folded = word.folded.slice(0, -1)
  return { ...word, folded, stem: stemOf(folded) }
}
