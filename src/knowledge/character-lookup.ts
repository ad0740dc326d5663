/** Names of characters as the interpretation of queries asks for them. */
import type { DatasetFacts } from '../facts/dataset-facts.js'
import type { CalledCharacters, CharacterMatch, TitleLookup } from '../query/interpretation.js'
import { foldedOf } from '../query/query-words.js'
import { romanizeWord } from '../text/romanize.js'
import { seriesNumber } from './franchise-rows.js'

/** A shorter word of a name is too often another word. */
const minWordLength = 3
/** A word that so many other works have, in titles or texts, is told of other things, too. */
const plainFrom = 3
/** A word that a larger share of the works has names nobody by itself. */
const commonShare = 1 / 60
/** A name that characters of more series have names none of them, or the few that are far better known. */
const maxSeries = 3
/** The best known of them alone is meant where it is so many e-folds of popularity ahead. */
const lead = 1

/** Works with the name of a character of each. */
type Named = Map<number, string>

/** The names of all characters whom some words name. */
type Names = Map<string, string[]>

function add(names: Names, words: string | undefined, name: string): void {
  if (words === undefined) return
  const named = names.get(words)
  if (named === undefined) names.set(words, [name])
  else named.push(name)
}

type CharacterLookup = Pick<TitleLookup, 'characters' | 'called'>

/** @param rowsWith works that have a word in a title or a text */
export function createCharacterLookup(
  characters: DatasetFacts['characters'],
  { franchises, isMain }: Pick<DatasetFacts, 'franchises' | 'isMain'>,
  popularity: Float32Array | undefined,
  rowsWith: (word: string) => Uint32Array,
): CharacterLookup {
  if (characters.size === 0) return {}
  const whole: Names = new Map()
  const oneWord: Names = new Map()
  /** Too short to name anybody where nothing says that they are names. */
  const shortWords: Names = new Map()
  let longest = 1
  for (const name of characters.keys()) {
    const words = foldName(name)
    longest = Math.max(longest, words.length)
    if (words.length > 1) add(whole, words.join(' '), name)
    // Of Japanese names either part may come first.
    if (words.length === 2) add(whole, words.toReversed().join(' '), name)
    const isAlone = words.length === 1
    const isLong = (word: string) => isAlone || word.length >= minWordLength
    const named = words.filter(isLong)
    // The month of `Vignette April Tsukinose` names nobody.
    for (const word of new Set([named[0], named.at(-1)])) add(oneWord, word, name)
    for (const word of new Set([words[0], words.at(-1)]))
      if (word !== undefined && !isLong(word)) add(shortWords, word, name)
  }
  const worksWith = (names: readonly string[] | undefined): Named | undefined => {
    if (names === undefined) return undefined
    const named: Named = new Map()
    for (const name of names)
      for (const row of characters.get(name) ?? []) if (!named.has(row)) named.set(row, name)
    return named
  }

  const mains = new Map<number, number>()
  franchises.forEach((franchise, row) => {
    if (franchise >= 0 && isMain[row] === 1) mains.set(franchise, row)
  })
  const fame = (row: number) => {
    const known = popularity?.[row] ?? NaN
    return Number.isNaN(known) ? 0 : known
  }
  const seriesOf = (row: number) => seriesNumber(franchises, row)
  /** One of each series, that which stands for it, the best known first. */
  const allWorksOf = (named: Named): readonly number[] => {
    const works = new Map<number, number>()
    for (const row of named.keys())
      works.set(seriesOf(row), mains.get(franchises[row] ?? -1) ?? row)
    return [...works.values()].sort((one, other) => fame(other) - fame(one))
  }
  const worksOf = (named: Named): readonly number[] => {
    const sorted = allWorksOf(named)
    const [first = -1, second = -1] = sorted
    if (second < 0 || fame(first) - fame(second) >= lead) return sorted.slice(0, 1)
    if (sorted.length <= maxSeries) return sorted
    const best = sorted.filter((row) => fame(first) - fame(row) < lead)
    return best.length > maxSeries ? [] : best
  }

  /** How it is written in the first of the works. */
  const nameIn = (named: Named, [first = -1]: readonly number[]): string => {
    const own = [...named].find(([row]) => seriesOf(row) === seriesOf(first))
    return own?.[1] ?? ''
  }

  const most = franchises.length * commonShare
  /** How many works of other series have the word; more than `most` need no count. */
  const othersWith = (word: string, rows: readonly number[]) => {
    const own = new Set(rows.map(seriesOf))
    let count = 0
    for (const row of rowsWith(word)) {
      if (!own.has(seriesOf(row))) count += 1
      if (count > most) break
    }
    return count
  }

  const characterAt = (query: readonly string[]): CharacterMatch | undefined => {
    const words = query.slice(0, longest).map(romanizeWord)
    for (let length = words.length; length > 0; length -= 1) {
      const isFull = length > 1
      const named = worksWith((isFull ? whole : oneWord).get(words.slice(0, length).join(' ')))
      if (named === undefined) continue
      const rows = worksOf(named)
      // Of a name of several words one is enough that stories do not tell: `the teacher` has none.
      const counts = query.slice(0, length).map((word) => othersWith(word, rows))
      const rarest = Math.min(...counts)
      if (!isFull && rarest > most) continue
      const isShared = rows.length > 1 && allWorksOf(named).length > maxSeries
      const kind = isShared ? 'shared' : rarest >= plainFrom ? 'plain' : isFull ? 'full' : 'word'
      if (rows.length > 0) return { length, name: nameIn(named, rows), rows, kind }
    }
    return undefined
  }

  const called = (query: readonly string[]): CalledCharacters | undefined => {
    const words = query.slice(0, longest).map(romanizeWord)
    for (let length = words.length; length > 0; length -= 1) {
      const key = words.slice(0, length).join(' ')
      const names = length > 1 ? whole : oneWord.has(key) ? oneWord : shortWords
      const named = worksWith(names.get(key))
      if (named === undefined) continue
      const series = new Set([...named.keys()].map(seriesOf))
      const isIn = (row: number) => series.has(seriesOf(row))
      const rows = allWorksOf(named)
      const isPart = length === 1 && [...named.values()].every((name) => foldName(name).length > 1)
      const isTelling = !isPart || (oneWord.has(key) && othersWith(query[0] ?? '', rows) <= most)
      return { length, name: nameIn(named, rows), rows, isIn, isTelling }
    }
    return undefined
  }
  return { characters: characterAt, called }
}

const foldName = (name: string): readonly string[] => foldedOf(name).map(romanizeWord)
