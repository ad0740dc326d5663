/** Works that a query names to say what it wants: `like Mushishi`, `Naruto but darker`, `by the makers of K-On`. */
import { alteredWorks } from './altered-works.js'
import type { MakersRole } from './interpretation.js'
import { makersOf } from './makers-of.js'
import { type NamedWork, workWords } from './named-works.js'
import { worksOfPost } from './post-works.js'
import type { ReferenceQuery } from './reference-query.js'
import { isPartOfFiller } from './rest-of-query.js'
import { isDenied, seenAt } from './seen-works.js'
import { turnedWorks } from './turned-works.js'
import { worksBefore } from './works-before.js'

export interface Reference extends NamedWork {
  /** A title is one that is refused. */
  readonly kind: 'like' | 'makers' | 'title'
  /** Whether works by the makers, or like the work, are not wished. */
  readonly excluded: boolean
  /** Of makers, where the query tells it. */
  readonly role?: MakersRole
}

export function findReferences(asked: ReferenceQuery): readonly Reference[] {
  const announced = announcedWorks(asked)
  const found =
    announced.length > 0
      ? announced
      : (turnedWorks(asked) ?? alteredWorks(asked)).map((work) => like(work))
  return withPost(found, worksOfPost(asked, found))
}

const like = (work: NamedWork, excluded = false): Reference => ({ kind: 'like', excluded, ...work })

/** With the works of a post, of which those that are refused are not wished elsewhere. */
function withPost(
  found: readonly Reference[],
  others: ReturnType<typeof worksOfPost>,
): readonly Reference[] {
  const refused = new Set(others.flatMap(({ isRefused, rows }) => (isRefused ? rows : [])))
  return [
    ...found.filter(({ kind, rows }) => kind === 'makers' || !rows.some((row) => refused.has(row))),
    ...others.map(({ isRefused, ...work }): Reference => ({
      kind: isRefused ? 'title' : 'like',
      excluded: isRefused,
      ...work,
    })),
  ]
}

/** The works of which words before or behind them say why they are named, with the lists that follow. */
function announcedWorks(asked: ReferenceQuery): readonly Reference[] {
  const references: Reference[] = []
  let position = 0
  while (position < asked.words.length) {
    const found = announcedAt(asked, position, references.length === 0)
    const last = found.at(-1)
    if (last === undefined) {
      position += 1
      continue
    }
    const all = [...found, ...listBehind(asked, last)]
    references.push(...all)
    position = all.at(-1)?.end ?? last.end
  }
  return references
}

function announcedAt(
  asked: ReferenceQuery,
  position: number,
  isFirst: boolean,
): readonly Reference[] {
  const made = makersOf(asked, position)
  if (made) return [{ kind: 'makers', excluded: isTurnedDown(asked, position), ...made }]
  const opposite = oppositeAt(asked, position)
  if (opposite) return [like(opposite, true)]
  return likedAt(asked, position, isFirst).map((work) => like(work))
}

/** `the opposite of Berserk` is nothing like it. */
function oppositeAt(
  { words, tables, isWish, known }: ReferenceQuery,
  position: number,
): NamedWork | undefined {
  const said = tables.opposites.longestAt(words, position)
  const work = said && isWish ? known.at(position + said.length) : undefined
  return work && { ...work, begin: position }
}

/** `like Mushishi`, `watched Mushishi` or, where no other work is named before, `Mushishi vibes`. */
function likedAt(asked: ReferenceQuery, position: number, isFirst: boolean): readonly NamedWork[] {
  const { words, tables, named } = asked
  if (isDenied(words, position, tables) || isTurnedDown(asked, position)) return []
  const said = endsWord(asked, position) ? undefined : tables.likes.longestAt(words, position)
  // `think naruto in space` names what `i think naruto is boring` tells of.
  const isFiller = isPartOfFiller(words, position, said?.length ?? 0, tables.filler)
  const prefix = isFiller && words[position - 1]?.folded === 'i' ? undefined : said
  // `an anime like death note` names a work, which `looks like a boy` does not.
  const isNamed = workWords.has(words[position - 1]?.stem ?? '')
  const liked = prefix && named.titleAt(position + prefix.length, isNamed)
  if (liked !== undefined) return [{ ...liked, begin: Math.min(position, liked.begin) }]
  const seen = seenAt(asked, position)
  if (seen !== undefined) return [seen]
  return (isFirst ? worksBefore(asked, position) : undefined) ?? []
}

/** `already seen X` and `not like X` want no X. */
const isTurnedDown = ({ tables }: ReferenceQuery, position: number): boolean =>
  position > 0 && tables.startsExclusion(position - 1)

/** The `like` of `cat-like creature`. */
const endsWord = ({ query, words }: ReferenceQuery, position: number): boolean =>
  query[(words[position]?.begin ?? 0) - 1] === '-'

/** The works that a list goes on with behind one: they are named for the same reason. */
function listBehind(
  asked: ReferenceQuery,
  { kind, excluded, role, end }: Reference,
): readonly Reference[] {
  const references: Reference[] = []
  for (let work = nextOf(asked, end); work !== undefined; work = nextOf(asked, work.end)) {
    references.push({ kind, excluded, ...(role && { role }), ...work })
  }
  return references
}

/** So many words of a list may be a work that nobody knows. */
const maxUnknownWords = 3

/** The next work of a list, after a name that nobody knows. */
function nextOf(asked: ReferenceQuery, from: number): NamedWork | undefined {
  const { words, tables, isWish, known } = asked
  const work = joinedAt(asked, from)
  const begin = from + (known.linkAt(from) ?? NaN)
  if (work !== undefined || !isWish || Number.isNaN(begin) || tables.startsWish(begin)) return work
  for (let at = begin + 1; at <= Math.min(begin + maxUnknownWords, words.length - 1); at += 1) {
    const link = known.linkAt(at)
    if (link !== undefined) return known.at(at + link)
  }
  return undefined
}

function joinedAt(
  { words, tables, isWish, named, known }: ReferenceQuery,
  from: number,
): NamedWork | undefined {
  const join = tables.joins.longestAt(words, from)
  if (join !== undefined) return named.titleAt(from + join.length) ?? known.at(from + join.length)
  // In a told story, what follows a comma is a chance.
  const cross = isWish ? known.crossAt(from) : undefined
  return cross === undefined ? undefined : known.at(from + cross)
}
