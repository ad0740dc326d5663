/** Works that a query names to say what it wants: `like Mushishi`, `Naruto but darker`, `by the makers of K-On`. */
import { alteredWorks } from './altered-works.js'
import type { MakersRole, TitleLookup } from './interpretation.js'
import { createKnownWorks, maxListWords } from './known-works.js'
import { makersOf } from './makers-of.js'
import {
  createNamedWorks,
  isChance,
  leadWords,
  maxTitleWords,
  type NamedWork,
  withEnd,
  workWords,
} from './named-works.js'
import { worksOfPost } from './post-works.js'
import { isMaker } from './named-makers.js'
import type { QueryTables } from './query-tables.js'
import type { QueryWord } from './query-words.js'
import { nearTitle } from './read-title.js'
import { isPartOfFiller } from './rest-of-query.js'
import { isDenied, seenAt } from './seen-works.js'
import { speakers } from './small-words.js'
import { isSomebodyAt } from './somebody.js'

export interface Reference extends NamedWork {
  /** A title is one that is refused. */
  readonly kind: 'like' | 'makers' | 'title'
  /** Whether works by the makers, or like the work, are not wished. */
  readonly excluded: boolean
  /** Of makers, where the query tells it. */
  readonly role?: MakersRole
}

export interface ReferenceTables extends QueryTables {
  /** How many words from one on are a fact, such as `isekai`. */
  readonly factLength: (begin: number) => number
  /** Whether a fact or a negation begins at a word. */
  readonly startsWish: (position: number) => boolean
  /** Whether a negation begins at a word, with what it excludes. */
  readonly startsExclusion: (position: number) => boolean
}

export function findReferences(
  query: string,
  words: readonly QueryWord[],
  tables: ReferenceTables,
  titles: TitleLookup,
  isWish: boolean,
): readonly Reference[] {
  const { likes, likeSuffixes, turns, joins, filler, factLength, startsWish } = tables
  const references: Reference[] = []
  const start = leadWords.has(words[0]?.stem ?? '') ? 1 : 0
  const lead = start + (likes.longestAt(words, start)?.length ?? NaN)
  const asked = { query, words, titles, tables, isWish }
  const named = createNamedWorks({ ...asked, lead })
  const known = createKnownWorks({ ...asked, named })
  let position = 0
  while (position < words.length) {
    const made = makersOf({ ...asked, named }, position)
    const opposite = made ? undefined : oppositeAt()
    const found = made ? [made] : opposite ? [opposite] : likesAt()
    const last = found.at(-1)
    if (last === undefined) {
      position += 1
      continue
    }
    const kind = made === undefined ? 'like' : 'makers'
    const role = made?.role && { role: made.role }
    const excluded = opposite !== undefined || (made !== undefined && isTurnedDown())
    references.push(...found.map((work) => ({ kind, excluded, ...work }) as const))
    position = last.end
    for (let other = next(position); other !== undefined; other = next(position)) {
      references.push({ kind, excluded, ...role, ...other })
      position = other.end
    }
  }
  const found = references.length > 0 ? references : turned()
  const others = worksOfPost({ ...asked, known }, found)
  const refused = new Set(others.flatMap(({ isRefused, rows }) => (isRefused ? rows : [])))
  return [
    ...found.filter(({ kind, rows }) => kind === 'makers' || !rows.some((row) => refused.has(row))),
    ...others.map(
      ({ isRefused, ...work }) =>
        ({ kind: isRefused ? 'title' : 'like', excluded: isRefused, ...work }) as const,
    ),
  ]

  /** A work with the words that name it, from the current one on. */
  function from(work: NamedWork | undefined): readonly NamedWork[] {
    return work ? [{ ...work, begin: Math.min(position, work.begin) }] : []
  }

  /** `the opposite of Berserk` is nothing like it. */
  function oppositeAt(): NamedWork | undefined {
    const said = tables.opposites.longestAt(words, position)
    const work = said && isWish ? known.at(position + said.length) : undefined
    return work && { ...work, begin: position }
  }

  function likesAt(): readonly NamedWork[] {
    if (isDenied(words, position, tables) || isTurnedDown()) return []
    const said = endsWord(position) ? undefined : likes.longestAt(words, position)
    // `think naruto in space` names what `i think naruto is boring` tells of.
    const isFiller = isPartOfFiller(words, position, said?.length ?? 0, filler)
    const prefix = isFiller && words[position - 1]?.folded === 'i' ? undefined : said
    const liked = prefix && named.titleAt(position + prefix.length, followsWork(position))
    if (liked !== undefined) return from(liked)
    const seen = seenAt({ ...asked, known }, position)
    return seen ? [seen] : (before() ?? [])
  }

  /** `already seen X` and `not like X` want no X. */
  function isTurnedDown(): boolean {
    return position > 0 && tables.startsExclusion(position - 1)
  }

  /** The `like` of `cat-like creature`. */
  function endsWord(position: number): boolean {
    return query[(words[position]?.begin ?? 0) - 1] === '-'
  }

  /** `an anime like death note` names a work, which `looks like a boy` does not. */
  function followsWork(position: number): boolean {
    return workWords.has(words[position - 1]?.stem ?? '')
  }

  /** `a Naruto like anime`, `naruto vibes` and `X meets Y` name what stands before. */
  function before(): readonly NamedWork[] | undefined {
    if (references.length > 0 || !isWish) return undefined
    // `love is like` says what love is.
    const isSaid = /^(?:is|are|was|were)$/.test(words[position - 1]?.folded ?? '')
    const suffix = isSaid ? undefined : likeSuffixes.longestAt(words, position)
    const cross = crossed()
    if (suffix === undefined) return cross
    const end = position + suffix.length
    if (words[position]?.folded === 'like' && isSomebodyAt(words, end, tables)) return cross
    for (let begin = Math.max(0, position - maxListWords); begin < position; begin += 1) {
      if (isInPhrase(begin)) continue
      const exact = named.titleOf(begin, position, titles.exact)
      const isNegation = tables.negations.longestAt(words, begin) !== undefined
      // `trigger style` is that of a studio, and no World Trigger.
      const isOther = isNegation || tables.facts.longestAt(words, begin)?.values.every(isMaker)
      const works = exact ? [exact] : isOther ? undefined : known.listOf(begin, position)
      // `no naruto clones` wants none.
      if (works !== undefined) return isDenied(words, begin, tables) ? cross : withEnd(works, end)
    }
    // Of `konosuba like` nothing else is left.
    const isAll = words[position]?.folded === 'like' && end === words.length
    const match = isAll ? named.titleOf(0, position) : undefined
    return match && [{ ...match, end }]
  }

  /** The `academia` of `dark academia vibes`. */
  function isInPhrase(begin: number): boolean {
    const isOfFact = [1, 2, 3].some((back) => factLength(begin - back) > back)
    return isOfFact || isPartOfFiller(words, begin, 1, filler)
  }

  function crossed(): readonly NamedWork[] | undefined {
    const cross = tables.crosses.longestAt(words, position)
    const works = cross && known.listOf(0, position)
    const other = works && known.at(position + cross.length)
    return other && [...works, other]
  }

  function joined(from: number): NamedWork | undefined {
    const join = joins.longestAt(words, from)
    if (join !== undefined) return named.titleAt(from + join.length) ?? known.at(from + join.length)
    // In a told story, what follows a comma is a chance.
    const cross = isWish ? known.crossAt(from) : undefined
    return cross === undefined ? undefined : known.at(from + cross)
  }

  /** The next work of a list, after a name that nobody knows. */
  function next(from: number): NamedWork | undefined {
    const work = joined(from)
    const begin = from + (known.linkAt(from) ?? NaN)
    if (work !== undefined || !isWish || Number.isNaN(begin) || startsWish(begin)) return work
    for (let at = begin + 1; at <= Math.min(begin + maxUnknownWords, words.length - 1); at += 1) {
      const link = known.linkAt(at)
      if (link !== undefined) return known.at(at + link)
    }
    return undefined
  }

  /** `X but darker`, `X without the romance` and `X and Y, what next` name X without a word before it. */
  function turned(): readonly Reference[] {
    const ends = [...words.keys()].slice(1, maxTitleWords)
    const works =
      firstOf(ends, turnedAt) ?? firstOf(ends.toReversed(), changedAt) ?? firstOf(ends, askedAt)
    return (works ?? alteredWorks(asked)).map((work) => ({
      kind: 'like',
      excluded: false,
      ...work,
    }))
  }

  /** In a told story, `but` after a title is a chance where more follows. */
  function turnedAt(turn: number): readonly NamedWork[] | undefined {
    const said = turns.longestAt(words, turn)
    if (said === undefined || turn + said.length >= words.length) return undefined
    // `I just finished it` says who has.
    if (turn === 1 && speakers.has(words[0]?.folded ?? '')) return undefined
    const isShort = words.length - turn - said.length <= maxTurnWords
    if (!isWish && !isShort) return undefined
    if (isWish) {
      const work = named.titleOf(0, turn)
      return work && !isChance(work) ? [work] : known.listOf(0, turn)
    }
    const work = named.titleOf(0, turn, titles.exact, turn > 1)
    return work && [work]
  }

  /** `X without the romance`, `X no romance`, `X with girls`; but `romance no harem` names none. */
  function changedAt(turn: number): readonly NamedWork[] | undefined {
    const plain = Math.max(factLength(0), filler.longestAt(words, 0)?.length ?? 0)
    if (!isWish || plain >= turn || !changes(turn)) return undefined
    const near = named.titleOf(0, turn)
    return known.listOf(0, turn) ?? (near && near.similarity > nearTitle ? [near] : undefined)
  }

  function askedAt(end: number): readonly NamedWork[] | undefined {
    if (!isWish || tables.wishes.longestAt(words, end) === undefined) return undefined
    const works = known.listOf(0, end)
    return works && works.length > 1 ? works : undefined
  }

  /** Whether a wish or an exclusion begins at a word: the `no` of `Shingeki no Kyojin` is none. */
  function changes(turn: number): boolean {
    const word = words[turn]?.folded
    if (word === 'with') return isWished(turn) || isWished(turn + 1)
    return word === 'without' ? turn + 1 < words.length : tables.startsExclusion(turn)
  }

  /** Whether all from a word on are facts. */
  function isWished(begin: number): boolean {
    let at = begin
    while (at < words.length && factLength(at) > 0) at += factLength(at)
    return begin < words.length && at === words.length
  }
}

/** Of what follows `but` in such a query. */
const maxTurnWords = 4

/** So many words of a list may be a work that nobody knows. */
const maxUnknownWords = 3

const firstOf = <T>(positions: readonly number[], find: (position: number) => T | undefined) =>
  positions.reduce<T | undefined>((found, position) => found ?? find(position), undefined)
