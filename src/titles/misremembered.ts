/** Titles of which a word is remembered wrongly: `grave of the butterflies`, `your lie in may`. */
import { agree, foldTitle } from './fold-title.js'
import { intersect } from './ascending-lists.js'
import type { Titles } from './open-titles.js'
import { isTellingWord, withoutArticle } from './small-words.js'

export interface MisrememberedTitle {
  readonly row: number
  readonly title: string
  /** How many words are right; an article before the first counts where query and title have it. */
  readonly right: number
  readonly wrong: number
  /** How rare the words that are right are in prose, all together and the rarest of them, in bits. */
  readonly bits: number
  readonly rarest: number
}

/** A longer query is a sentence. */
const maxWords = 12
/** From so many words on, without an article before the first, two may be wrong. */
const wordsForTwo = 5
/** So many titles are compared for each choice of wrong words, the shortest first. */
const maxCompared = 200

/**
 * Titles with as many words as the query, and the same ones at the same places but for telling ones that are wrong. An
 * article before the first word may be missing. One title of each row, those with one wrong word first.
 */
export function misrememberedTitles(titles: Titles, text: string): readonly MisrememberedTitle[] {
  const { romanized: words, season } = foldTitle(text)
  const query = withoutArticle(words)
  if (query.length < 2 || query.length > maxWords) return []
  const found = new Map<number, MisrememberedTitle>()
  for (const wrong of wrongPlaces(query)) {
    const right = query.filter((_, place) => !wrong.has(place))
    const rarities = right.map((word) => titles.rarity(word) ?? 0)
    const bits = rarities.reduce((sum, value) => sum + value, 0)
    const told = { wrong: wrong.size, bits, rarest: Math.max(...rarities) }
    for (const number of titlesWith(titles, right)) {
      const [row, title] = [titles.row(number), titles.original(number)]
      const folded = foldTitle(title)
      const isOther = !agree(season, folded.season)
      if (isOther || !isRightBeside(query, withoutArticle(folded.romanized), wrong)) continue
      const article = words[0] === folded.romanized[0] && words.length > query.length ? 1 : 0
      const known = found.get(row)
      if (known !== undefined && known.right >= right.length + article) continue
      found.set(row, { row, title, right: right.length + article, ...told })
    }
  }
  return [...found.values()]
}

/** Each telling word, then each two. */
function* wrongPlaces(query: readonly string[]): Generator<ReadonlySet<number>> {
  const mayBeWrong = [...query.keys()].filter((place) => isMistakable(query[place] ?? ''))
  for (const place of mayBeWrong) yield new Set([place])
  if (query.length < wordsForTwo) return
  for (const [at, place] of mayBeWrong.entries()) {
    for (const other of mayBeWrong.slice(at + 1)) yield new Set([place, other])
  }
}

/** Numbers are no words that are taken for others. */
const isMistakable = (word: string): boolean => isTellingWord(word) && !/\d/.test(word)

function* titlesWith({ words }: Titles, right: readonly string[]): Generator<number> {
  const numbers = [...new Set(right)].map((word) => words.set.find(word))
  if (!right.some(isTellingWord) || numbers.includes(-1)) return
  let compared = 0
  for (const title of intersect(numbers.map((number) => words.titles(number)))) {
    yield title
    compared += 1
    if (compared === maxCompared) return
  }
}

const isRightBeside = (
  query: readonly string[],
  title: readonly string[],
  wrong: ReadonlySet<number>,
): boolean =>
  query.length === title.length &&
  title.every((word, place) => (wrong.has(place) ? isMistakable(word) : word === query[place]))
