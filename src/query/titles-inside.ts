/** Titles inside of a query that is none as a whole and names no work: mentions, characters' works, and words of titles. */
import {
  type AskedQuery,
  isFree,
  isIgnored,
  isInOneOf,
  type PartlyRead,
  spanOf,
  unread,
} from './asked-query.js'
import {
  mentionedTitles,
  partOfTitle,
  readNamed,
  readRareWords,
  type TitleReading,
  withNamed,
} from './read-title.js'
import { inNoTitle, isOnlyFact } from './rest-of-query.js'
import { areFacts, isPartOfTopic } from './subject.js'
import { maxWishWords } from './wish.js'

/** The title that is left without the words around it, else the titles that the query has as they are written. */
export function readMentions(asked: AskedQuery): PartlyRead {
  const { query, words, isFiller, tables, titles } = asked
  // In a long story they are a chance.
  if (words.length > maxWishWords) return unread(asked)
  const isFact = (begin: number, end: number) =>
    isFiller.slice(begin, end).every(Boolean) || areFacts(words.slice(begin, end), tables)
  const named = readNamed(query, words, titles, tables.around, isFact)
  const mentions = named ? [named] : mentionedTitles(query, words, titles, tables.facts)
  const readings = mentions.filter((mention) => !isIgnored(asked, mention))
  return { ...unread(asked), readings }
}

/** Adds the works of characters whose names are not read as facts alone. */
export function withCharacters(
  asked: AskedQuery,
  { readings, uses }: PartlyRead,
  characters: readonly TitleReading[],
): PartlyRead {
  const isMeant = (title: TitleReading) =>
    !isIgnored(asked, title) && !isOnlyFact(asked.words, uses, title)
  return { readings: [...readings, ...characters.filter(isMeant)], uses }
}

/** Adds titles that words which nothing else is read from name, where no work is named: in a long story, a golden boy is a chance. */
export function withRareWords(asked: AskedQuery, read: PartlyRead): PartlyRead {
  const { words, isFiller, tables, titles } = asked
  const { readings, uses } = read
  const namesWork = readings.some(
    ({ kind, excluded }) => !excluded && (kind === 'title' || kind === 'like'),
  )
  if (namesWork || words.length > maxWishWords) return read
  const spanAt = (position: number) => spanOf(asked, position, position + 1)
  const isContent = (position: number) =>
    !isFiller[position] && !inNoTitle(uses[position]) && !isIgnored(asked, spanAt(position))
  const isLeft = (position: number) =>
    isContent(position) &&
    (uses[position] === 'text' || isPartOfTopic(readings, spanAt(position))) &&
    !tables.known.has(words[position]?.stem ?? '')
  const isUnread = (position: number) => isContent(position) && isFree(asked, uses, position)
  const telling = isFiller.filter((is) => !is).length
  const named = readRareWords(words, { isLeft, isContent, readings, telling }, titles)
  const kept = withNamed(readings, named, words, isUnread)
  // Beside other readings, what a title takes from a topic explains nothing.
  const isBeside = kept.some(({ kind }) => kind !== 'title')
  const taken = isBeside ? readings.filter((reading) => !kept.includes(reading)) : []
  return {
    readings: kept,
    uses: uses.map((use, position) => (isInOneOf(taken, words[position]) ? 'text' : use)),
  }
}

/** Where a query says nothing but titles, their words are read, and texts may have them. */
export function withWordsOfTitles(asked: AskedQuery, { readings, uses }: PartlyRead): PartlyRead {
  const isAlone = readings.every(({ kind, excluded }) => kind === 'title' && !excluded)
  const titles = isAlone ? readings.filter(({ confidence }) => confidence >= partOfTitle) : []
  const isOfTitle = (position: number) =>
    isFree(asked, uses, position) && isInOneOf(titles, asked.words[position])
  return { readings, uses: uses.map((use, position) => (isOfTitle(position) ? 'topic' : use)) }
}
