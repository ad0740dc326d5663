/** Titles in other words: `the city where only i dont exist`, `i cant understand what my husband say`. */
import { minTypoLength } from './compare-titles.js'
import { unite } from '../../base/text/ascending-lists.js'
import { isCut, wholeWords } from '../../base/text/cut-words.js'
import { foldTitle, namesSeason } from './fold-title.js'
import { type Titles, usualBits } from './open-titles.js'
import { remember } from '../../base/text/remember.js'
import { romanizeWord } from '../../base/text/romanize.js'
import { likenessOf, type SameWords, type ComparedWord } from '../../base/text/same-words.js'
import type { TextSet } from '../../base/text/text-set.js'

export interface RewordedTitle {
  readonly row: number
  readonly title: string
  /** How much of the query the title has, and of the title the query, by the rarity of words in prose. */
  readonly queryShare: number
  readonly titleShare: number
  /** How rare the words are that agree, in bits. */
  readonly bits: number
}

/** A longer query is a sentence. */
const maxWords = 14
/** Bounds of the time: titles of the rarest words, and titles that are compared in full. */
const maxPostings = 20_000
const maxCompared = 50
/** Titles that are compared have so much of the query in words that are written nearly so. */
const minFound = 0.45
/** Titles are counted by their low bits: one that is there by chance is compared, and turned down. */
const slots = 1 << 16
const sums = new Float32Array(slots)

interface Unit extends ComparedWord {
  readonly bits: number
  /** Whether some title has it; what none has may be cut. */
  readonly isKnown: boolean
}

/** The best title of each row that has most words of the query, in any order. */
export function rewordedTitles(
  titles: Titles,
  text: string,
  same: SameWords,
): readonly RewordedTitle[] {
  const { words, season } = foldTitle(text)
  if (words.length < 2 || words.length > maxWords || namesSeason(season)) return []
  const query = unitsOf(titles, words, same)
  const found = new Map<number, RewordedTitle>()
  const lately = comparedWith(titles, same)
  for (const number of candidates(query, lately)) {
    const units = lately.units(String(number))
    if (units.length === 0) continue
    const shares = compare(query, units)
    const row = titles.row(number)
    const known = found.get(row)
    if (known !== undefined && qualityOf(known) >= qualityOf(shares)) continue
    found.set(row, { row, title: titles.original(number), ...shares })
  }
  return [...found.values()]
}

export const qualityOf = ({
  queryShare,
  titleShare,
}: Pick<RewordedTitle, 'queryShare' | 'titleShare'>): number => queryShare * titleShare

/** Titles and words that were compared lately. */
const maxRemembered = 4096
interface Compared {
  readonly same: SameWords
  /** The words of the title of a number; none of a title with a season. */
  readonly units: (number: string) => readonly Unit[]
  /** Titles of a word, and of its synonyms. */
  readonly lists: (parts: string) => readonly Uint32Array[]
  readonly synonymLists: (parts: string) => readonly Uint32Array[]
}
const compared = new WeakMap<Titles, Compared>()

function comparedWith(titles: Titles, same: SameWords): Compared {
  const known = compared.get(titles)
  if (known?.same === same) return known
  const wordOf = (parts: string) => same.wordsOf(parts.split(' ')).slice(0, 1)
  const fresh: Compared = {
    same,
    units: remember(maxRemembered, (number) => {
      const { words, season } = foldTitle(titles.original(Number(number)))
      return namesSeason(season) ? [] : unitsOf(titles, words, same)
    }),
    lists: remember(maxRemembered, (parts) =>
      wordOf(parts).flatMap((word) => listsOf(titles, same.forms(word))),
    ),
    synonymLists: remember(maxRemembered, (parts) =>
      wordOf(parts).flatMap((word) => synonymLists(titles, same.synonymForms(word))),
    ),
  }
  compared.set(titles, fresh)
  return fresh
}

const unitsOf = (titles: Titles, words: readonly string[], same: SameWords): readonly Unit[] =>
  same.wordsOf(words).map((word) => {
    const rarities = word.parts.map((part) => titles.rarity(romanizeWord(part)))
    const bits = Math.max(...rarities.map((rarity) => rarity ?? usualBits))
    return { ...word, bits, isKnown: !rarities.includes(undefined) }
  })

/** Titles with most of the query's words, those with the rarest first. */
function candidates(query: readonly Unit[], { lists, synonymLists }: Compared): readonly number[] {
  const searched = rarest(
    query,
    ({ parts }) => lists(parts.join(' ')),
    ({ parts }) => synonymLists(parts.join(' ')),
  )
  sums.fill(0)
  const sumOf = (title: number) => sums[title % slots] ?? 0
  for (const { unit, found } of searched)
    for (const title of found) sums[title % slots] = sumOf(title) + unit.bits
  const skipped = sumOfBits(query) - sumOfBits(searched.map(({ unit }) => unit))
  const least = minFound * sumOfBits(query) - skipped
  const all = new Set<number>()
  for (const { found } of searched)
    for (const title of found) if (sumOf(title) >= least) all.add(title)
  return [...all].sort((one, other) => sumOf(other) - sumOf(one)).slice(0, maxCompared)
}

type Look = (unit: Unit) => readonly Uint32Array[]

/** The titles of words, those of the rarest ones, and of their synonyms; none of a word with which they are too many. */
function rarest(query: readonly Unit[], look: Look, lookForSynonyms: Look) {
  let left = maxPostings
  const fits = (lists: readonly Uint32Array[]) => {
    const length = lengthOf(lists)
    const isFit = length <= left
    if (isFit) left -= length
    return isFit
  }
  return query
    .map((unit) => ({ unit, lists: look(unit) }))
    .toSorted((one, other) => lengthOf(one.lists) - lengthOf(other.lists))
    .filter(({ lists }) => fits(lists))
    .map(({ unit, lists }) => {
      const synonyms = lookForSynonyms(unit)
      return { unit, found: unite(fits(synonyms) ? [...lists, ...synonyms] : lists) }
    })
}

const lengthOf = (lists: readonly Uint32Array[]): number =>
  lists.reduce((sum, { length }) => sum + length, 0)

/** Titles of each form that some have; where none has any, of words with a letter that is wrong, or that are cut short. */
function listsOf({ words }: Titles, forms: readonly string[]): readonly Uint32Array[] {
  const romanized = forms.map(romanizeWord)
  const numbers = romanized.map((form) => words.set.find(form)).filter((number) => number >= 0)
  const [word = ''] = romanized
  const found = numbers.length > 0 ? numbers : misspelt(words.set, word)
  return [...new Set(found)].map((number) => words.titles(number))
}

function misspelt(words: TextSet, word: string): readonly number[] {
  const typos = word.length >= minTypoLength ? words.near(word, 1).keys() : []
  return [...typos, ...wholeWords(words, word)]
}

/** Titles of words that have a form. */
const synonymLists = ({ words }: Titles, forms: readonly string[]): readonly Uint32Array[] =>
  [...new Set(forms.map((form) => words.set.find(romanizeWord(form))))]
    .filter((number) => number >= 0)
    .map((number) => words.titles(number))

/** Pairs each word of the query with the nearest of the title. */
function compare(
  query: readonly Unit[],
  title: readonly Unit[],
): Omit<RewordedTitle, 'row' | 'title'> {
  const left = [...title]
  let [inQuery, inTitle, bits] = [0, 0, 0]
  for (const unit of query) {
    const likeness = left.map((other) => likenessOf(unit, other) || cutLikeness(unit, other))
    const best = Math.max(0, ...likeness)
    const [paired] = best > 0 ? left.splice(likeness.indexOf(best), 1) : []
    if (paired === undefined) continue
    inQuery += unit.bits * best
    inTitle += paired.bits * best
    bits += Math.min(unit.bits, paired.bits) * best
  }
  const [queryShare, titleShare] = [inQuery / sumOfBits(query), inTitle / sumOfBits(title)]
  return { queryShare, titleShare, bits }
}

const cutLikeness = (unit: Unit, { word }: Unit): number =>
  !unit.isKnown && isCut(unit.word, word) ? 1 : 0

const sumOfBits = (units: readonly Unit[]): number => units.reduce((sum, { bits }) => sum + bits, 0)
