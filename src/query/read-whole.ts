/** What a query is as a whole: the words that are meant, and the title that they are, if any. */
import { type AskedQuery, isIgnored } from './asked-query.js'
import { readCharacters, titleOrName } from './characters.js'
import { isSubject, saysWithout } from './subject.js'
import { readToldTitle } from './told-title.js'
import { queryWords, type QueryWord } from './query-words.js'
import type { TitleReading } from './read-title.js'
import { isWishOf, maxWishWords } from './wish.js'

interface WholeQuery {
  /** As they are typed where the query is a title, else without typos. */
  readonly words: readonly QueryWord[]
  readonly isWish: boolean
  /** The title that the query is. */
  readonly title: TitleReading | undefined
  /** The works of characters whose names the query has. */
  readonly characters: readonly TitleReading[]
}

export function readWhole(
  asked: Pick<AskedQuery, 'query' | 'tables' | 'titles' | 'ignored'>,
): WholeQuery {
  const { query, tables, titles, ignored } = asked
  const typed = queryWords(query)
  const isWish = isWishOf(query, typed, tables, titles)
  // Who types so many words types a title only as it is written.
  const match = typed.length > maxWishWords ? titles.exact : titles.match
  const characters = readCharacters(typed, tables, titles)
  const isMeant = (title: TitleReading | undefined) => title && !isIgnored(asked, title)
  const named = isMeant(characters.whole) ? characters.whole : undefined
  const isNone = ignored.some(({ begin, end }) => begin === 0 && end >= query.length)
  const read = isNone ? undefined : titleOrName(query, match, named, titles)
  // What nearly is a title is a typo of it, and no other word.
  const isWord = (word: string) => titles.exact(word).length > 0 || titles.isWord?.(word) === true
  const corrected = isWish ? tables.correct(typed, isWord) : typed
  const isSaid =
    !isSubject(typed, corrected, read?.confidence ?? 0, tables) &&
    !saysWithout(query, typed, tables, titles)
  const told = readToldTitle(query, typed, tables, titles)
  const title = isMeant(told) ? told : isSaid ? read : undefined
  const words = title === undefined ? corrected : typed
  return { words, isWish, title, characters: characters.parts }
}
