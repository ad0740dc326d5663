/** The works of characters whose names words begin with. */
import { LRUCache } from 'lru-cache'
import { mainRows } from '../../data/catalogue/franchises.js'
import type { Character, CharacterNames } from '../../data/catalogue/work-names.js'
import type { DatasetFacts } from '../facts/dataset-facts.js'
import { remember } from '../../base/text/remember.js'
import { romanizeWord } from '../../base/text/romanize.js'
import { seriesNumber } from './franchise-rows.js'

/** A character whose name begins a text. */
export interface CharacterMatch {
  /** How many words the name has. */
  readonly length: number
  readonly name: string
  /** The works, the best known first. */
  readonly rows: readonly number[]
  /**
   * A whole name of several words, a word of one, words that stories use for other things, too, or a name that many
   * have, a few of them in works that are far better known.
   */
  readonly kind: 'full' | 'word' | 'plain' | 'shared'
}

/** The character whose name the words begin with. */
export type CharacterAt = (words: readonly string[]) => CharacterMatch | undefined

/** A word that so many other works have, in titles or texts, means other things, too. */
const plainFrom = 3
/** A word that a larger share of the works has names nobody by itself. */
const commonShare = 1 / 60
/** A name that characters of more series have names none of them, or the few that are far better known. */
const maxSeries = 3
/** Names that were looked for lately. */
const maxRemembered = 10_000
/** Words that begin a name, or are known to begin none. */
const maxBeginnings = 20_000
/** Only the best known of them counts if it is so many e-folds of popularity ahead. */
const lead = 1

/** @param rowsWith works that have a word in a title or a text */
export function createCharacterLookup(
  characters: CharacterNames | undefined,
  series: Pick<DatasetFacts, 'franchises' | 'isMain'>,
  popularity: Float32Array | undefined,
  rowsWith: (word: string) => Uint32Array,
): CharacterAt | undefined {
  if (characters === undefined) return undefined
  const { franchises } = series
  const mains = mainRows(series)
  const fame = (row: number) => (popularity?.[row] ?? 0) || 0
  const seriesOf = (row: number) => seriesNumber(franchises, row)
  const most = franchises.length * commonShare

  /** The works of characters, one of each series, the best known first. */
  function seriesWith(named: readonly Character[]): readonly number[] {
    const works = new Map<number, number>()
    for (const { rows } of named)
      for (const row of rows) works.set(seriesOf(row), mains.get(franchises[row] ?? -1) ?? row)
    return [...works.values()].sort((one, other) => fame(other) - fame(one))
  }

  function likeliest(sorted: readonly number[]): readonly number[] {
    const [first = -1, second = -1] = sorted
    if (second < 0 || fame(first) - fame(second) >= lead) return sorted.slice(0, 1)
    if (sorted.length <= maxSeries) return sorted
    const best = sorted.filter((row) => fame(first) - fame(row) < lead)
    return best.length > maxSeries ? [] : best
  }

  /** How many works of other series have the word; more than `most` need no count. */
  function othersWith(word: string, rows: readonly number[]): number {
    const own = new Set(rows.map(seriesOf))
    let count = 0
    for (const row of rowsWith(word)) {
      if (!own.has(seriesOf(row))) count += 1
      if (count > most) break
    }
    return count
  }

  const found = new LRUCache<string, CharacterMatch | 'nobody'>({ max: maxRemembered })

  const begins = remember(maxBeginnings, (word) => characters.begins(word))

  return (query) => {
    if (!begins(romanizeWord(query[0] ?? ''))) return undefined
    const words = query.map(romanizeWord)
    const areNames = characters.areNames(words.map((_, last) => words.slice(0, last + 1).join(' ')))
    for (let length = words.length; length > 0; length -= 1) {
      if (areNames[length - 1] !== true) continue
      const written = query.slice(0, length)
      const key = written.join(' ')
      const one = found.get(key) ?? matchOf(words.slice(0, length), written) ?? 'nobody'
      found.set(key, one)
      if (one !== 'nobody') return one
    }
    return undefined
  }

  /** @param words in one romanization, and as they are written */
  function matchOf(
    words: readonly string[],
    written: readonly string[],
  ): CharacterMatch | undefined {
    const isFull = words.length > 1
    const named = characters?.named(words) ?? []
    const all = seriesWith(named)
    const rows = likeliest(all)
    const [first = -1] = rows
    if (first < 0) return undefined
    // Of a name of several words one is enough that stories do not use: `the teacher` has none.
    const rarest = Math.min(...written.map((word) => othersWith(word, rows)))
    if (!isFull && rarest > most) return undefined
    const isShared = rows.length > 1 && all.length > maxSeries
    const kind = isShared ? 'shared' : rarest >= plainFrom ? 'plain' : isFull ? 'full' : 'word'
    const isOfFirst = (character: Character) =>
      character.rows.some((row) => seriesOf(row) === seriesOf(first))
    const { name } = named.find(isOfFirst) ?? named[0] ?? { name: '' }
    return { length: words.length, name, rows, kind }
  }
}
