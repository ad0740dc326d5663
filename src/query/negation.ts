/** Where a query begins to say what it does not want: `no harem`, `i'm sick of isekai`, `besides Toradora`. */
import type { Fact, TitleLookup } from './interpretation.js'
import type { QueryTables } from './query-tables.js'
import type { QueryWord } from './query-words.js'
import { sameTitle } from './read-title.js'
import { scarceAt } from './scarce.js'
import { articles, speakers } from './small-words.js'
import { isOfAudience } from './somebody.js'

export interface FactHit {
  readonly length: number
  readonly fact: Fact
  readonly label: string
  readonly confidence: number
  readonly isNarrow?: boolean
  readonly canLack?: boolean
  /** The position of its last word, where others stand between. */
  readonly noun?: number
  /** Whether the words say that a work has it not: `nobody dies`. */
  readonly isLacking?: boolean
  /** Whether texts may tell the same words: `jump manga`. */
  readonly isInTexts?: boolean
}

export interface Negation {
  /** How many words it has. */
  readonly length: number
  /**
   * `lack`: what a work has not, as `without`; `seen`: works alone; `dislike`: what the speaker says of works;
   * `nobody`: what is known alone, as `nobody has`; `undone`: what somebody does not do; `not`: any other.
   */
  readonly kind: 'lack' | 'nobody' | 'undone' | 'not' | 'dislike' | 'seen'
}

/** Whether a negation excludes what is known alone. */
export const isOfKnown = ({ kind }: Pick<Negation, 'kind'>): boolean =>
  kind === 'nobody' || kind === 'undone'

export interface Negatable {
  readonly query: string
  readonly words: readonly QueryWord[]
  readonly tables: Pick<
    QueryTables,
    | 'negations'
    | 'nobody'
    | 'undone'
    | 'scarce'
    | 'excludedHeads'
    | 'bearers'
    | 'kindsOfHeads'
    | 'headsOfKinds'
    | 'wordLists'
    | 'pointed'
    | 'exceptions'
    | 'dislikes'
    | 'filler'
    | 'alreadySeen'
    | 'lacks'
    | 'turns'
    | 'joins'
    | 'facts'
    | 'known'
  >
  readonly titles: Pick<TitleLookup, 'exact' | 'known' | 'sure'>
  readonly isWish: boolean
  readonly factAt: (position: number) => FactHit | undefined
}

export function negationAt(asked: Negatable, position: number): Negation | undefined {
  const { words, tables, isWish, factAt } = asked
  const plain = tables.negations.longestAt(words, position) ?? pointedAt(asked, position)
  // In a told story, `it was not the demon king` says who did not do it.
  const isTold = !isWish && tables.pointed.lengthBefore(words, position + 1) > 1
  if (isTold) return undefined
  const except = isWish ? tables.exceptions.longestAt(words, position) : undefined
  const nobody = tables.nobody.longestAt(words, position)?.length ?? 0
  const undone = tables.undone.longestAt(words, position)?.length ?? 0
  const scarce = scarceAt(asked, position)
  const said = speakerAt(asked, position)
  const length = Math.max(plain?.length ?? 0, except?.length ?? 0, nobody, undone, scarce)
  if (said !== undefined && said.length > length) return said
  if (length === 0 || isOfTitle(asked, position, length)) return undefined
  if (length === 1 && isParticle(asked, position)) return undefined
  // A phrase such as `no memory`, which begins in the negation and goes beyond it, is none.
  for (let offset = 1; offset < length; offset += 1) {
    if (offset + (factAt(position + offset)?.length ?? 0) > length) return undefined
  }
  if (isSecondThought(asked, position, length)) return undefined
  // `but not that one` excludes nothing.
  if ((tables.filler.longestAt(words, position)?.length ?? 0) > length) return undefined
  if (length === nobody || length === scarce) return { length, kind: 'nobody' }
  if (length === undone) return { length, kind: 'undone' }
  const isLack = tables.lacks.longestAt(words, position)?.length === length
  return { length, kind: isLack ? 'lack' : 'not' }
}

const kindsOfWorks = new Set<Fact['kind']>(['type', 'source'])

/** `it wasn't Naruto` excludes a work, or what kind of one, where `it wasn't a dream` tells a story. */
function pointedAt({ query, words, tables, titles, factAt }: Negatable, position: number) {
  const pointed = tables.pointed.longestAt(words, position)
  if (pointed === undefined || words[position + pointed.length - 1]?.endsClause) return undefined
  const next = position + pointed.length
  const from = next + (articles.has(words[next]?.folded ?? '') ? 1 : 0)
  const fact = factAt(from)?.fact ?? tables.facts.longestAt(words, from)?.values[0]?.fact
  if (fact !== undefined && kindsOfWorks.has(fact.kind)) return pointed
  const { exact, sure = exact, known = exact } = titles
  const isWord = !tables.known.has(words[next]?.stem ?? '')
  const isWork = words.slice(next, next + maxNameWords).some(({ end }, more) => {
    const text = query.slice(words[next]?.begin, end)
    if (more > 0) return sure(text).length > 0
    return fact === undefined && isWord && known(text).some((work) => work.similarity >= sameTitle)
  })
  return isWork ? pointed : undefined
}

/** `a guy who quit basketball? no archery... no swimming` tries to remember what it was. */
function isSecondThought(
  { query, words, isWish, factAt }: Negatable,
  position: number,
  length: number,
): boolean {
  const word = words[position]
  if (isWish || word?.folded !== 'no' || factAt(position + length)?.canLack !== true) return false
  const markBefore = (at: number) => query.slice(words[at - 1]?.end, words[at]?.begin)
  let at = position
  while (at > 0 && /\.\.|…/.test(markBefore(at))) {
    do at -= 1
    while (at > 0 && !/[^\s\w'’-]/.test(markBefore(at)))
    if (words[at]?.folded !== 'no') return false
  }
  return at > 0 && markBefore(at).includes('?')
}

const adverbs = new Set(
  'am is are really just so also kinda have been getting personally'.split(' '),
)

/** `but i have really just been so tired of isekai` */
const maxSpeakerWords = 8

/**
 * What the speaker says of works, at the beginning of a clause: `hated Nisekoi`, `but i'm tired of isekai`. In a told
 * story, somebody else may be tired of something.
 */
function speakerAt({ words, tables, isWish }: Negatable, position: number): Negation | undefined {
  const before = words[position - 1]
  const isTurn = [tables.turns, tables.joins].some((table) => table.longestAt(words, position - 1))
  const isAudience = isOfAudience(words, position - 1)
  if (before !== undefined && !before.endsClause && !isTurn && !isAudience) {
    if (!isWish || !speakers.has(words[position]?.folded ?? '')) return undefined
  }
  const told = words.slice(position, position + maxSpeakerWords)
  const said = told.findIndex(({ folded }) => !speakers.has(folded) && !adverbs.has(folded))
  const from = position + (said < 0 ? told.length : said)
  const isSpeaker =
    words.slice(position, from).some(({ folded }) => speakers.has(folded)) ||
    (position === 0 && asksAfter(words, position, tables))
  if (!isWish && !isSpeaker) return undefined
  /** `im over` and `i know` have a speaker of their own. */
  const lengthIn = (table: typeof tables.dislikes): number | undefined => {
    for (let at = from; at >= position; at -= 1) {
      const found = table.longestAt(words, at)
      if (found !== undefined) return at - position + found.length
    }
    return undefined
  }
  const disliked = lengthIn(tables.dislikes)
  if (disliked !== undefined) return { length: disliked, kind: 'dislike' }
  // At the beginning it tells what somebody likes.
  const seen = isWish && position > 0 ? lengthIn(tables.alreadySeen) : undefined
  return seen === undefined ? undefined : { length: seen, kind: 'seen' }
}

/** `tired of isekai, want a hero who loses` is said by who asks. */
const asksAfter = (
  words: readonly QueryWord[],
  position: number,
  { wordLists: { requests } }: Pick<QueryTables, 'wordLists'>,
): boolean =>
  words.some(
    ({ folded }, at) => at > position && words[at - 1]?.endsClause === true && requests.has(folded),
  )

/** So many words of a title may stand before and after one of its words. */
const maxAround = 4

/** `no` of `Kimetsu no Yaiba` and `zero` of `Re:Zero` are words of a title that is spelt so. */
function isOfTitle({ query, words, titles }: Negatable, position: number, length: number): boolean {
  if (length > 1) return false
  for (let begin = Math.max(0, position - maxAround); begin < position; begin += 1) {
    for (let end = position + 1; end <= position + 1 + maxAround; end += 1) {
      const [first, last] = [words[begin], words[end - 1]]
      if (first === undefined || last === undefined) break
      if (titles.exact(query.slice(first.begin, last.end)).length > 0) return true
    }
  }
  return false
}

const maxNameWords = 4
/** The syllables of Japanese words in Latin letters, each read in one way, so that no word takes long. */
const romaji = /^(?:(?:[kgsztdnhbpmyrwjf]|[sc]h|ts|[kgnhbpmr]y)?[aiueo]|n(?![aiueoy]))+$/

/** The `no` of `Kodoku no Gourmet`, and of `kimi no onnanoko`, is Japanese, where that of `isekai no harem` is not. */
function isParticle({ query, words, tables, titles }: Negatable, position: number): boolean {
  const [before, word, next] = [words[position - 1], words[position], words[position + 1]]
  if (word?.folded !== 'no' || !before || !next || before.endsClause) return false
  const texts = [before, word, next].map(({ begin, end }) => query.slice(begin, end))
  const isName = /^\p{Lu}.* no \p{Lu}/u.test(texts.join(' '))
  if (isName || words.length > maxNameWords || !romaji.test(before.folded)) return isName
  const isEnglish =
    tables.known.has(before.stem) ||
    tables.facts.lengthBefore(words, position) > 0 ||
    [tables.facts, tables.filler].some((table) => table.longestAt(words, position - 1))
  const look = titles.known ?? titles.exact
  const isWork = words
    .slice(0, position)
    .some(({ begin }) => look(query.slice(begin, before.end)).length > 0)
  return !isEnglish && !isWork
}

/** Whether a negation begins at a word, with what it excludes: `no romance`. A word is asked about once for each title that may end there. */
export function exclusionStarts(asked: Negatable): (position: number) => boolean {
  const starts = asked.words.map((): boolean | undefined => undefined)
  const startsAt = (position: number): boolean => {
    const negation = negationAt(asked, position)
    const end = position + (negation?.length ?? 0)
    // The `not` that ends `rascal does not` excludes nothing.
    if (negation === undefined || end === asked.words.length) return false
    const needsFact = negation.kind === 'lack' || isOfKnown(negation)
    return !needsFact || asked.factAt(end) !== undefined
  }
  return (position) => (starts[position] ??= startsAt(position))
}
