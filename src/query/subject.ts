/** Subjects and titles: words that are all facts are no part of a title that has them, but a title tells its subject. */
import type { Fact, Reading, Span, TitleLookup } from './interpretation.js'
import type { FactHit } from './negation.js'
import { covers } from './phrase-run.js'
import type { QueryTables } from './query-tables.js'
import type { QueryWord } from './query-words.js'
import { nearTitle, partOfTitle, sameTitle } from './read-title.js'

type Facts = Pick<QueryTables, 'facts'>

/** `volleyball` and `soul reaper` are one subject each. */
const isOnePhrase = (words: readonly QueryWord[], tables: Facts): boolean =>
  words.length > 0 && phraseLength(words, 0, tables) === words.length

/** `sailors` are a phrase, and `sailor` begins a title. */
function phraseLength(words: readonly QueryWord[], position: number, { facts }: Facts) {
  const { length, values = [] } = facts.longestAt(words, position) ?? {}
  const typed = words[position]?.folded
  return values.some(({ spelt = typed }) => spelt === typed) ? length : undefined
}

/** `by miura`: a character of that name made nothing. */
function isMaker(
  words: readonly QueryWord[],
  { facts, makerWords }: Facts & Pick<QueryTables, 'makerWords'>,
): boolean {
  const lead = makerWords.longestAt(words, 0)?.length ?? 0
  const name = lead > 0 ? facts.longestAt(words, lead) : undefined
  return (
    lead + (name?.length ?? 0) === words.length &&
    name?.values.some(({ fact: { kind } }) => kind === 'person' || kind === 'studio') === true
  )
}

/** `goblin isekai` is two subjects. */
export const areFacts = (words: readonly QueryWord[], tables: Facts): boolean =>
  words.length > 0 && covers(0, words.length, (at) => phraseLength(words, at, tables))

/**
 * Whether a query is a subject, rather than a title that is as sure.
 * @param corrected the words without typos: who types `samuria` means no title that the word begins
 */
export const isSubject = (
  typed: readonly QueryWord[],
  corrected: readonly QueryWord[],
  title: number,
  tables: Facts & Pick<QueryTables, 'makerWords' | 'negations'>,
): boolean =>
  ((isOnePhrase(typed, tables) || isMaker(typed, tables)) && title < sameTitle) ||
  (isOnePhrase(corrected, tables) && title === partOfTitle) ||
  // `police at work` is no Cells at Work with a wrong word.
  (areFacts(withoutNegation(typed, tables), tables) && title <= nearTitle)

/** `no magic` is what is not wished, and no title of which it is part. */
const withoutNegation = (
  words: readonly QueryWord[],
  { negations }: Pick<QueryTables, 'negations'>,
): readonly QueryWord[] => words.slice(negations.longestAt(words, 0)?.length ?? 0)

/** `isekai no harem`, `one piece no romance` and `not naruto` are no titles, if not as they are typed. */
export function saysWithout(
  query: string,
  words: readonly QueryWord[],
  { facts, negations }: Facts & Pick<QueryTables, 'negations'>,
  { exact }: Pick<TitleLookup, 'exact'>,
): boolean {
  const says = words.some((_, position) => {
    const length = negations.longestAt(words, position)?.length
    if (length === undefined) return false
    if (position === 0) return exact(query.slice(words[length]?.begin ?? query.length)).length > 0
    if (!facts.longestAt(words, position + length)) return false
    const before = words.slice(0, position)
    return areFacts(before, { facts }) || exact(query.slice(0, before.at(-1)?.end)).length > 0
  })
  return says && exact(query).length === 0
}

/** `turns into a spider` is a topic of which one word may be a title's; `laid back` tells only how a work is. */
export const isPartOfTopic = (readings: readonly Reading[], { begin, end }: Span): boolean =>
  readings.some(
    (reading) =>
      reading.kind === 'topic' &&
      reading.isSubject === true &&
      !reading.excluded &&
      reading.begin <= begin &&
      end <= reading.end &&
      reading.end - reading.begin > end - begin,
  )

/** `go` is one of the games of a tag, and `Hikaru no Go` is about it. */
export function withTitled(
  { fact, isNarrow = false }: Pick<FactHit, 'fact' | 'isNarrow'>,
  words: readonly QueryWord[],
  { titled }: Pick<TitleLookup, 'titled'>,
): Fact {
  if (!isNarrow || fact.kind !== 'topic' || titled === undefined) return fact
  const written = titled(words.map(({ folded }) => folded))
  const singular = titled(words.map(({ stem }) => stem))
  return { ...fact, rows: [...new Set([...written, ...singular])] }
}
