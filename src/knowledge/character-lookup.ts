/** Names of characters as the interpretation of queries asks for them. */
import type { DatasetFacts } from '../facts/dataset-facts.js'
import type { TitleLookup } from '../query/interpretation.js'
import { queryWords } from '../query/query-words.js'
import { romanizeWord } from '../titles/romanize.js'
import { getOrAdd } from '../util/get-or-add.js'

/** A shorter word of a name is too often another word. */
const minWordLength = 3
/** A word that so many other works have, in titles or texts, is told of other things, too. */
const plainFrom = 3
/** A word that a larger share of the works has names nobody by itself. */
const commonShare = 1 / 60
/** A name that characters of more series have names none of them. */
const maxSeries = 3
/** The best known of them alone is meant where it is so many e-folds of popularity ahead. */
const lead = 1

interface Named {
  readonly name: string
  readonly rows: Set<number>
}

/** @param rowsWith works that have a word in a title or a text */
export function createCharacterLookup(
  characters: DatasetFacts['characters'],
  { franchises, isMain }: Pick<DatasetFacts, 'franchises' | 'isMain'>,
  popularity: Float32Array | undefined,
  rowsWith: (word: string) => readonly number[],
): TitleLookup['characters'] {
  if (characters.size === 0) return undefined
  const whole = new Map<string, Named>()
  const oneWord = new Map<string, Named>()
  let longest = 1
  for (const [name, rows] of characters) {
    const words = foldName(name)
    longest = Math.max(longest, words.length)
    const add = (to: Map<string, Named>, key: string) => {
      const named = getOrAdd(to, key, () => ({ name, rows: new Set<number>() }))
      for (const row of rows) named.rows.add(row)
    }
    if (words.length > 1) add(whole, words.join(' '))
    // Of Japanese names either part may come first.
    if (words.length === 2) add(whole, words.toReversed().join(' '))
    const isAlone = words.length === 1
    const named = words.filter((word) => isAlone || word.length >= minWordLength)
    // The month of `Vignette April Tsukinose` names nobody.
    for (const word of new Set([...named.slice(0, 1), ...named.slice(-1)])) add(oneWord, word)
  }

  const mains = new Map<number, number>()
  franchises.forEach((franchise, row) => {
    if (franchise >= 0 && isMain[row] === 1) mains.set(franchise, row)
  })
  const fame = (row: number) => {
    const known = popularity?.[row] ?? NaN
    return Number.isNaN(known) ? 0 : known
  }
  const seriesOf = (row: number) =>
    (franchises[row] ?? -1) < 0 ? -1 - row : (franchises[row] ?? 0)
  /** One of each series: that which stands for it. */
  const worksOf = ({ rows }: Named): readonly number[] => {
    const works = new Map<number, number>()
    for (const row of rows) works.set(seriesOf(row), mains.get(franchises[row] ?? -1) ?? row)
    const sorted = [...works.values()].sort((one, other) => fame(other) - fame(one))
    const [first = -1, second = -1] = sorted
    if (second < 0 || fame(first) - fame(second) >= lead) return sorted.slice(0, 1)
    return sorted.length > maxSeries ? [] : sorted
  }

  /** How many works of other series have the word. */
  const othersWith = (word: string, rows: readonly number[]) => {
    const own = new Set(rows.map(seriesOf))
    return rowsWith(word).filter((row) => !own.has(seriesOf(row))).length
  }
  const most = franchises.length * commonShare

  return (query) => {
    const words = query.slice(0, longest).map(romanizeWord)
    for (let length = words.length; length > 0; length -= 1) {
      const isFull = length > 1
      const named = (isFull ? whole : oneWord).get(words.slice(0, length).join(' '))
      if (named === undefined) continue
      const rows = worksOf(named)
      // Of a name of several words one is enough that stories do not tell: `the teacher` has none.
      const counts = query.slice(0, length).map((word) => othersWith(word, rows))
      const rarest = Math.min(...counts)
      if (!isFull && rarest > most) continue
      const kind = rarest >= plainFrom ? 'plain' : isFull ? 'full' : 'word'
      if (rows.length > 0) return { length, name: named.name, rows, kind }
    }
    return undefined
  }
}

const foldName = (name: string): readonly string[] =>
  queryWords(name).map(({ folded }) => romanizeWord(folded))
