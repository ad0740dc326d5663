/** Whether a query lists what is wanted, or tells a story. */
import { ageOfPersonAt } from './ages-of-people.js'
import type { Fact, Reading, Span, TitleLookup } from './interpretation.js'
import { isOwnWork, makersAt, workBeforeRole } from './makers-of.js'
import { haveAny } from './phrase-table.js'
import type { QueryTables } from './query-tables.js'
import { type QueryWord, stemOf } from './query-words.js'
import { determiners } from './small-words.js'
import { isOfAudience } from './somebody.js'

/** Words for what is searched: `a new anime where ...`. */
const workWords = new Set(
  'anime manga manhwa manhua webtoon show series movie film title one story'.split(' ').map(stemOf),
)

/** Whether what stands from a word on is a work, of which more may be told before: `romance anime`. */
export function isWorkAt(
  words: readonly QueryWord[],
  from: number,
  { facts, joins }: Pick<QueryTables, 'facts' | 'joins'>,
): boolean {
  for (let position = from; position < words.length;) {
    if (workWords.has(words[position]?.stem ?? '')) return true
    if (words[position - 1]?.endsClause) return false
    const next = facts.longestAt(words, position) ?? joins.longestAt(words, position)
    if (next === undefined) return false
    position += next.length
  }
  return false
}

/** Facts whose words are said of people and things, too: `old`, `short`, `popular`. */
const ofAnything = new Set<Fact['kind']>(['fame', 'years', 'length'])

/** Whether a phrase is said of a work, which follows it or ends it: `old anime`, `an old one`. */
const isOfWork = (
  words: readonly QueryWord[],
  begin: number,
  end: number,
  tables: Pick<QueryTables, 'facts' | 'joins'>,
): boolean =>
  isWorkAt(words, end, tables) ||
  (end - begin > 1 && words[end - 2]?.endsClause !== true && isWorkAt(words, end - 1, tables))

/** Whether a fact is said of works where its words stand. */
export const saysOfWork = (
  fact: Fact,
  words: readonly QueryWord[],
  begin: number,
  end: number,
  tables: Pick<QueryTables, 'facts' | 'joins'>,
): boolean => !ofAnything.has(fact.kind) || isOfWork(words, begin, end, tables)

/** A query of more words tells a story; what it says in passing is no wish. */
export const maxWishWords = 14
/** Words for those of whom a story tells. */
export const storyWords = new Set(
  'who he she his her him they them their whose boy girl man woman kid guy where when'.split(' '),
)
const wordsInPassing = new Set([...storyWords, 'go'])
/** What follows where somebody goes or runs: then `go` is no game, and `running` no sport. */
const ways = new Set('to back on out home into through after away up down missing'.split(' '))
/** Who does what a verb says. */
const doers = new Set('who that he she they i'.split(' '))
const verbsOfDoers = new Set('fight love loves'.split(' '))

/** Whether a word is no subject where it stands: `a kid` of a story is none, and who goes to school plays no game. */
export function isInPassing(
  words: readonly QueryWord[],
  position: number,
  isWish: boolean,
): boolean {
  const word = words[position]?.folded ?? ''
  const next = words[position + 1]?.folded ?? ''
  if (word === 'go' && ways.has(next)) return true
  // And somebody keeps it going: `running an inn`.
  if (word === 'running' && (ways.has(next) || determiners.has(next))) return true
  if (isVerb(words, position)) return true
  return !isWish && wordsInPassing.has(word)
}

/** So many words may tell who somebody is: `my 8 year old who loves`. */
const maxPersonWords = 5

/** `who fight monsters` asks for no fights, and neither `my son loves trains` nor `but love fantasy worlds` for romance. */
function isVerb(words: readonly QueryWord[], position: number): boolean {
  const word = words[position]
  if (!verbsOfDoers.has(word?.folded ?? '') || word?.endsClause !== false) return false
  const isDone = doers.has(words[position - 1]?.folded ?? '')
  if (word.folded === 'fight') return isDone
  // In a told story, a girl who loves a boy is in love.
  const before = words.slice(Math.max(0, position - maxPersonWords), position)
  const isOfSpeaker = word.folded === 'love' && words[position - 1]?.folded === 'but'
  const isOfMine =
    before.at(-1)?.endsClause === false && before.some(({ folded }) => folded === 'my')
  const isOfViewer = words
    .slice(0, position)
    .some(({ folded }, at) => folded === 'my' || (at === 0 && folded === 'for'))
  return isOfMine || isOfSpeaker || (isDone && isOfViewer)
}

/** Whether a query lists what is wanted, rather than tells what happens; who asks for something may use more words. */
export function isWishOf(
  query: string,
  words: readonly QueryWord[],
  tables: QueryTables,
  titles: Pick<TitleLookup, 'exact' | 'known' | 'sure'>,
): boolean {
  const { facts, wishes, filler } = tables
  let tellsMakers = false
  for (let position = 0; position < words.length; position += 1) {
    // The girl of `magical girl` does nothing, nor the guy of `a guy as the mc`, and `the people who made X` no more than that.
    const makers = makersAt(words, position, tables)
    tellsMakers ||= makers !== undefined
    const phrase =
      makers ??
      ageOfPersonAt(words, position, tables) ??
      facts.longestAt(words, position) ??
      filler.longestAt(words, position)
    const length = phrase?.length ?? 0
    if (length > 1) position += length - 1
    else if (
      storyWords.has(words[position]?.folded ?? '') &&
      !saysOfAudience(words, position, tables) &&
      !(tellsMakers && isOwnWork(words, position)) &&
      // `the barakamon kid is annoying`
      (tables.tooMuch.longestAt(words, position + 1) ??
        tables.verdicts.longestAt(words, position + 1)) === undefined &&
      !isInTitle(query, words, position, tables, titles) &&
      workBeforeRole(query, words, position, tables, titles) === undefined
    )
      return false
  }
  if (words.length <= maxWishWords) return true
  return haveAny(words, wishes)
}

/** `for people who hate romance` tells no story, which `for brothers who lost their arms` does. */
const saysOfAudience = (
  words: readonly QueryWord[],
  position: number,
  { dislikes, seen, likes, wishes }: QueryTables,
): boolean =>
  isOfAudience(words, position) &&
  [dislikes, seen, likes, wishes].some((table) =>
    [1, 2].some((after) => table.longestAt(words, position + after)),
  )

const maxTitleSide = 4
/** Words such as `the man` are no title. */
const minTitleWord = 3

/** Whether a word is part of a title where a query names one: the man of `like chainsaw man` does nothing. */
function isInTitle(
  query: string,
  words: readonly QueryWord[],
  position: number,
  tables: QueryTables,
  { exact, sure = exact }: Pick<TitleLookup, 'exact' | 'sure'>,
): boolean {
  const { facts, likes, seen, joins, turns, negations, makers, makerLeads, makerRoles } = tables
  const isTold = ({ folded }: QueryWord) => folded.length > minTitleWord && !storyWords.has(folded)
  for (let begin = Math.max(0, position - maxTitleSide); begin <= position; begin += 1) {
    const isNamed = [likes, seen, joins, makers, makerLeads].some(
      (table) => table.lengthBefore(words, begin) > 0,
    )
    for (let end = position + 1; end <= Math.min(words.length, position + maxTitleSide); end += 1) {
      const isTurned =
        begin === 0 && [turns, negations, makerRoles].some((table) => table.longestAt(words, end))
      if (!words.slice(begin, end).some(isTold)) continue
      // `one punch man humor` and `the humor of one punch man but darker`
      const isBefore = [facts, turns, negations].some((table) => table.longestAt(words, end))
      const look = isNamed || isTurned ? exact : isBefore ? sure : () => []
      if (look(query.slice(words[begin]?.begin, words[end - 1]?.end)).length > 0) return true
    }
  }
  return false
}

/** `some good anime to watch` wishes for nothing but that. */
export const anyGoodWork = (span: Span, query: string): Reading => ({
  kind: 'fame',
  value: 'acclaimed',
  ...span,
  label: query.slice(span.begin, span.end),
  confidence: 0.5,
  excluded: false,
})

const verbsOfSupposed = new Set('were was had is'.split(' '))

/** Whether a word is a name: a boy called light is not lighthearted, nor is that of `if light were a girl`; or an age: `an 8 year old daughter` is not old. */
export function isNamedAt(words: readonly QueryWord[], position: number): boolean {
  const before = words[position - 1]?.folded ?? ''
  const isAge =
    /^(?:\d{1,2})?(?:years?|yrs?)$/.test(before) && /^olds?$/.test(words[position]?.folded ?? '')
  const isOfSupposed = before === 'if' && verbsOfSupposed.has(words[position + 1]?.folded ?? '')
  return isAge || isOfSupposed || before === 'named' || before === 'called'
}
