/** A work that a query does not want: `mecha but not Gundam`. */
import type { Reading, TitleLookup, TitleMatch } from './interpretation.js'
import { maxTitleWords } from './named-works.js'
import type { Negation } from './negation.js'
import type { QueryTables } from './query-tables.js'
import { type QueryWord, queryWords } from './query-words.js'
import { nearTitle, partOfTitle } from './read-title.js'

export interface ExcludedTitle extends TitleMatch {
  readonly end: number
  readonly rows: readonly number[]
}

export interface TitleAfterOptions {
  /** Words of the fact that begins there; a title is longer, or as long where works are named. */
  readonly factLength: number
  /** Whether something else begins at a word, such as `but`. */
  readonly endsAt: (position: number) => unknown
  /** Whether a word says nothing: the `lol` of `not Naruto lol`. */
  readonly isFiller: (position: number) => boolean
}

interface Named {
  readonly query: string
  readonly words: readonly QueryWord[]
  readonly titles: Pick<TitleLookup, 'exact' | 'match' | 'known' | 'heads' | 'withWords'>
}

/** So many words may be a part of a title. */
const maxPartWords = 3
const minPartLength = 5

const textOf = ({ query, words }: Named, from: number, end: number): string =>
  query.slice(words[from]?.begin, words[end - 1]?.end)

/** The longest title that begins at a word and is spelt so. */
export function spelt(named: Named, from: number, minWords = 1): ExcludedTitle | undefined {
  const longest = Math.min(named.words.length, from + maxTitleWords)
  for (let end = longest; end >= from + minWords; end -= 1) {
    const found = withRows(named.titles.exact(textOf(named, from, end)), end)
    if (found !== undefined) return found
  }
  return undefined
}

/** All before a subtitle: `fate` of `Fate/Zero`. */
const isHead = (text: string, { title }: TitleMatch): boolean => {
  const [head = '', ...others] = title.split(/[:：/]/u)
  return others.length > 0 && head.toLowerCase() === text.toLowerCase()
}

/**
 * The longest title that begins at a word; else titles of which the rest of the clause is part, where no fact begins,
 * unless only what is known is meant.
 */
export function titleAfter(
  named: Named,
  from: number,
  options: TitleAfterOptions & {
    readonly kind: Negation['kind']
    /** Whether a word is an everyday one: the `humans` of `no humans` are no part of a title. */
    readonly isEveryday: (position: number) => boolean
  },
): ExcludedTitle | undefined {
  const { factLength, endsAt, kind, isEveryday } = options
  const { words, titles } = named
  const owner = kind === 'dislike' ? ownerAt(named, from) : undefined
  if (owner !== undefined) return owner
  const isWork = kind === 'not' || kind === 'seen'
  const found = spelt(named, from, isWork ? Math.max(1, factLength) : factLength + 1)
  if (found !== undefined) return found
  if (factLength > 0) {
    const text = textOf(named, from, from + factLength)
    const heads = titles.heads?.(text).filter((match) => isHead(text, match)) ?? []
    if (!isWork) return undefined
    return nearOf(named, from, options) ?? withRows(heads, from + factLength)
  }
  const end = clauseEnd(words, from, endsAt)
  const text = textOf(named, from, end)
  if (end === from || end - from > maxPartWords || text.length < minPartLength) return undefined
  if (kind === 'lack' && words.slice(from, end).every((_, at) => isEveryday(from + at)))
    return undefined
  const isPart = (match: TitleMatch) => match.similarity >= partOfTitle && hasWords(match, text)
  if (kind === 'seen') return withRows(titles.heads?.(text) ?? [], end)
  // One word names a work that is known by it: `the ending isnt ruined` names none.
  const known = end - from === 1 ? titles.known?.(text) : undefined
  return withRows(known ?? titles.match(text).filter(isPart), end)
}

const endings = new Set('ending end finale conclusion last final season'.split(' '))

/** Whether the end or a part of a work stands at a word, which may be disliked where the work is not: `hated X's ending`. */
export const isEndingAt = (words: readonly QueryWord[], position: number): boolean =>
  endings.has(words[position]?.folded ?? '')

/** `hated Madoka's bleakness`: who hates something of a work does not want it. */
function ownerAt(named: Named, from: number): ExcludedTitle | undefined {
  const { words, titles } = named
  for (let end = from + 1; end <= Math.min(from + maxPartWords + 1, words.length); end += 1) {
    const [, text] = /^(.+)['’]s$/i.exec(textOf(named, from, end)) ?? []
    const same = text === undefined ? [] : titles.exact(text)
    const known = same.length > 0 || text === undefined ? same : (titles.known?.(text) ?? [])
    const found = isEndingAt(words, end) ? undefined : withRows(known, end)
    if (found !== undefined) return found
    if (words[end - 1]?.endsClause) return undefined
  }
  return undefined
}

/** So many words before an exclusion may name who made what it excludes. */
const maxBefore = 12

/** Whether somebody who is named before made the work: `urasawa but not monster`. */
export const isOfMaker = (
  { words, titles, tables }: MadeNamed,
  before: number,
  { row }: ExcludedTitle,
): boolean =>
  Array.from({ length: Math.min(before, maxBefore) }, (_, distance) => before - 1 - distance)
    .flatMap((at) => tables.facts.longestAt(words, at)?.values ?? [])
    .some(({ fact }) => titles.madeBy?.(row, fact))

interface MadeNamed {
  readonly words: readonly QueryWord[]
  readonly titles: Pick<TitleLookup, 'madeBy'>
  readonly tables: Pick<QueryTables, 'facts'>
}

/** The title that is the rest of the clause, or the beginning of that of a well-known work: `not kuroko`, `not Madoka lol`. */
export function titleOfClause(
  named: Named,
  from: number,
  options: TitleAfterOptions,
): ExcludedTitle | undefined {
  const ends = endsOf(named, from, options)
  // `not Spice and Wolf`
  const whole = endsOf(named, from, { ...options, endsAt: () => undefined })
  const exact = [...new Set([...whole, ...ends])].map((end) =>
    withRows(named.titles.exact(textOf(named, from, end)), end),
  )
  const begun = () =>
    ends.map((end) => withRows(begunBy(named, from, end, options), end)).find(isFound)
  return exact.find(isFound) ?? nearOf(named, from, options) ?? begun()
}

const isFound = (found: ExcludedTitle | undefined) => found !== undefined

/** Where the clause ends, and where what it says ends, if longer than a fact. */
function endsOf(
  { words }: Named,
  from: number,
  { factLength, endsAt, isFiller }: TitleAfterOptions,
): readonly number[] {
  const end = clauseEnd(words, from, endsAt)
  let said = end
  while (said > from && isFiller(said - 1)) said -= 1
  const ends = [...new Set([end, said])]
  return ends.filter((to) => to > from && to - from >= factLength && to - from <= maxTitleWords)
}

/** A title that begins with a fact and is all of the clause but its article or its spelling: `not drifting classroom`. */
function nearOf(named: Named, from: number, options: TitleAfterOptions): ExcludedTitle | undefined {
  const { factLength } = options
  if (factLength === 0) return undefined
  return endsOf(named, from, options)
    .filter((end) => end - from > factLength)
    .map((end) => {
      const matches = named.titles.match(textOf(named, from, end))
      return withRows(
        matches.filter(({ similarity }) => similarity > nearTitle),
        end,
      )
    })
    .find(isFound)
}

/** Well-known works whose titles begin with all words from one on, or have the rare one. */
function begunBy(
  named: Named,
  from: number,
  end: number,
  { factLength }: TitleAfterOptions,
): readonly TitleMatch[] {
  const { words, titles } = named
  if (end - from > maxPartWords + 1) return []
  const text = textOf(named, from, end)
  const heads = titles.heads?.(text) ?? []
  if (factLength > 0) return heads.filter((match) => isHead(text, match))
  if (heads.length > 0 || end - from > 1) return heads
  return titles.withWords?.([words[from]?.folded ?? '']) ?? []
}

function clauseEnd(
  words: readonly QueryWord[],
  from: number,
  endsAt: TitleAfterOptions['endsAt'],
): number {
  let end = from
  while (end < words.length && endsAt(end) === undefined) {
    end += 1
    if (words[end - 1]?.endsClause) break
  }
  return end
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

/** `not gundam` excludes all works that have the name. */
export function rowsOfBrand(
  { words, titles }: Pick<Named, 'words'> & { readonly titles: Pick<TitleLookup, 'brand'> },
  from: number,
  end: number,
): readonly number[] {
  const word = words[from]
  return end - from === 1 && word !== undefined ? (titles.brand?.(word.folded) ?? []) : []
}

/** Without titles that were found inside of what is excluded, and without what a wish also excludes: `ghibli vibes but not ghibli`. */
export function withoutExcluded(readings: readonly Reading[], isWish: boolean): readonly Reading[] {
  const excluded = readings.filter((reading) => reading.excluded)
  return readings.filter((reading) => {
    if (reading.excluded) return true
    if (reading.kind !== 'title') {
      const isSame = ({ kind, label }: Reading) => kind === reading.kind && label === reading.label
      return !isWish || !excluded.some(isSame)
    }
    return !excluded.some(
      ({ kind, begin, end }) => kind === 'title' && reading.begin < end && begin < reading.end,
    )
  })
}
