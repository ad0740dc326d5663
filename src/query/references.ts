/** Works that a query names to say what it wants: `like Mushishi`, `Naruto but darker`, `by the makers of K-On`. */
import type { MakersRole, TitleLookup, TitleMatch } from './interpretation.js'
import type { NegationsAround } from './negation.js'
import type { QueryTables } from './query-tables.js'
import { type QueryWord, stemOf } from './query-words.js'
import { nearTitle, sameTitle } from './read-title.js'

export interface Reference {
  readonly kind: 'like' | 'makers'
  /** Words of the prefix and the title, [begin, end). */
  readonly begin: number
  readonly end: number
  readonly title: string
  readonly rows: readonly number[]
  readonly similarity: number
  /** Of makers, where the query tells it. */
  readonly role?: MakersRole
}

type ReferenceWords = Pick<QueryTables, 'likes' | 'makers' | 'turns' | 'joins' | 'filler'>

export interface ReferenceTables extends ReferenceWords, NegationsAround {
  /** How many words from one on are a fact, such as `isekai`. */
  readonly factLength: (begin: number) => number
  /** Whether a fact or a negation begins at a word. */
  readonly startsWish: (position: number) => boolean
}

/** The longest title that is looked for, in words. */
const maxTitleWords = 12
/** A shorter word is a title only where it is spelt so. */
const minFuzzyLength = 5
const minSimilarity = 0.84

export function findReferences(
  query: string,
  words: readonly QueryWord[],
  tables: ReferenceTables,
  titles: TitleLookup,
  isWish: boolean,
): readonly Reference[] {
  const { likes, makers, turns, joins, filler, factLength, startsWish } = tables
  const references: Reference[] = []
  /** Where what follows `like` or `anime like` at the beginning of the query begins. */
  const start = leadWords.has(words[0]?.stem ?? '') ? 1 : 0
  const lead = start + (likes.longestAt(words, start)?.length ?? NaN)
  let position = 0
  while (position < words.length) {
    const maker = makers.longestAt(words, position)
    const isOther = endsWord(position) || tables.isDenied(position)
    const prefix = maker ?? (isOther ? undefined : likes.longestAt(words, position))
    const first = (prefix && titleAt(position + prefix.length, followsWork(position))) ?? before()
    if (first === undefined) {
      position += 1
      continue
    }
    const kind = maker === undefined ? 'like' : 'makers'
    const [said = 'any'] = maker?.values ?? []
    const role = said === 'any' ? {} : { role: said }
    references.push({ kind, ...role, ...first, begin: Math.min(position, first.begin) })
    position = first.end
    for (let next = joined(position); next !== undefined; next = joined(position)) {
      references.push({ kind, ...role, ...next })
      position = next.end
    }
  }
  return references.length > 0 ? references : turned()

  /** The `like` of `cat-like creature`. */
  function endsWord(position: number): boolean {
    return query[(words[position]?.begin ?? 0) - 1] === '-'
  }

  /** `a Naruto like anime` and `naruto vibes` name what stands before. */
  function before(): Found | undefined {
    const suffix = words[position]?.folded ?? ''
    if (references.length > 0 || !isWish || !likeSuffixes.has(suffix)) return undefined
    for (let begin = 0; begin < position; begin += 1) {
      const match = matchOf(begin, position, titles.exact)
      if (match !== undefined) return { ...match, end: position + 1 }
    }
    // Of `konosuba like` nothing else is left.
    const isAll = suffix === 'like' && position + 1 === words.length
    const match = isAll ? matchOf(0, position) : undefined
    return match && { ...match, end: position + 1 }
  }

  function joined(from: number): Found | undefined {
    const join = joins.longestAt(words, from)
    return join && titleAt(from + join.length)
  }

  /** `X but darker` and `X no romance` name X without a word before it. In a story, it is a chance where more follows. */
  function turned(): readonly Reference[] {
    for (let turn = 1; turn < Math.min(words.length, maxTitleWords); turn += 1) {
      // But `romance no harem` and `i hate harems` name none.
      const plain = Math.max(factLength(0), filler.longestAt(words, 0)?.length ?? 0)
      if (isWish && plain < turn && tables.startsExclusion(turn)) {
        const named = matchOf(0, turn)
        if (named && named.similarity > nearTitle) return [{ kind: 'like', ...named }]
      }
      const said = turns.longestAt(words, turn)
      if (said === undefined || turn + said.length >= words.length) continue
      const isShort = words.length - turn - said.length <= maxTurnWords
      if (!isWish && !isShort) continue
      const match = isWish ? matchOf(0, turn) : matchOf(0, turn, titles.exact, turn > 1)
      if (match !== undefined) return [{ kind: 'like', ...match }]
    }
    return []
  }

  /** The title that begins at a word, the longest that is spelt so, else the nearest of its clause. */
  function titleAt(begin: number, isNamed = false): Found | undefined {
    const atOnce = titleFrom(begin, isNamed)
    if (atOnce !== undefined) return atOnce
    let from = begin
    while (from < words.length && isLead(from)) from += 1
    const afterLead = from > begin ? titleFrom(from, isNamed) : undefined
    return afterLead && { ...afterLead, begin }
  }

  /** `an anime like death note` names a work, which `looks like a boy` does not. */
  function followsWork(position: number): boolean {
    return workWords.has(words[position - 1]?.stem ?? '')
  }

  function titleFrom(from: number, isNamed: boolean): Found | undefined {
    const limit = clauseEnd(from)
    // Marks may be in a title, so it may go on beyond what looks like the end of a clause.
    for (let end = Math.min(words.length, from + maxTitleWords); end > from; end -= 1) {
      const match = matchOf(from, end, titles.exact, isNamed)
      if (match !== undefined) return longer(match, from, limit) ?? match
    }
    for (const end of cutsOf(from, limit)) {
      const match = matchOf(from, end)
      if (match !== undefined && (match.similarity > nearTitle || !goesOn(end, limit))) return match
    }
    return undefined
  }

  /** `avatar` of `avatar the last airbender` is no part of another title: what follows its filler is no wish. */
  function goesOn(end: number, limit: number): boolean {
    let next = end
    for (let length = 1; next < limit && length > 0; next += length) {
      length = filler.longestAt(words, next)?.length ?? 0
    }
    if (next === end || next >= limit || isTurn(end)) return false
    return !startsWish(next)
  }

  function isTurn(position: number): boolean {
    const turn = turns.longestAt(words, position) ?? joins.longestAt(words, position)
    return turn !== undefined || tables.startsExclusion(position)
  }

  /** `madoka magica` is more of the title of which `madoka` is another name. */
  function longer({ end: known, rows }: Found, from: number, limit: number): Found | undefined {
    for (let end = known + 1; end <= limit; end += 1) {
      if (isTurn(end - 1)) return undefined
      const match = matchOf(from, end)
      if (match?.rows.some((row) => rows.includes(row))) return match
    }
    return undefined
  }

  /** `the anime` in `like the anime Monster`. */
  function isLead(position: number): boolean {
    return leadWords.has(words[position]?.stem ?? '')
  }

  function clauseEnd(from: number): number {
    let end = from
    while (end < words.length && end - from < maxTitleWords) {
      end += 1
      if (words[end - 1]?.endsClause) break
    }
    return end
  }

  /** Where a title may end: at the end of its clause, before a turn or a join, and before trailing filler. */
  function* cutsOf(from: number, limit: number): Iterable<number> {
    yield limit
    for (let end = from + 1; end < limit; end += 1) {
      if (isTurn(end) || filler.longestAt(words, end) !== undefined) yield end
    }
  }

  function matchOf(
    begin: number,
    end: number,
    look = titles.match,
    isNamed = false,
  ): Found | undefined {
    const [first, last] = [words[begin], words[end - 1]]
    if (first === undefined || last === undefined || end <= begin) return undefined
    const text = query.slice(first.begin, last.end)
    const isExact = look === titles.exact
    // In a told story, words such as "a boy" are no titles, and small letters are no misspelt ones.
    const isName = /\p{Lu}/u.test(text)
    const isLong = end - begin >= minStoryWords || isNamed
    // But who begins with `like`, and ends with a title or goes on with `but`, names it.
    const isRest = begin === lead && (end === words.length || isTurn(end))
    if (!isWish && !isName && !isRest && !(isExact && isLong)) return undefined
    const isSure = isWish || isName
    const near = isSure ? minSimilarity : nearTitle
    // Who begins with `like jojo` and says no more means a work, however short its name.
    const isShort = text.length < minFuzzyLength && !isRest
    const least = isExact ? 0 : isShort ? 1 : near
    if (words.slice(begin, end).every(({ stem }) => leadWords.has(stem))) return undefined
    // `isekai but not harem` names no work that has the word in its title; `demon slayer` is all before a subtitle.
    const enough = !isExact && factLength(begin) >= end - begin ? sameTitle : least
    const matches = look(text).filter(({ similarity }) => similarity >= enough)
    const [best] = matches
    if (best === undefined) return undefined
    return {
      begin,
      end,
      title: best.title,
      similarity: best.similarity,
      rows: rowsOf(matches, best),
    }
  }
}

/** Words between `like` and a title. */
const leadWords = new Set(
  ['the', 'anime', 'manga', 'show', 'series', 'movie', 'film', 'stuff'].map(stemOf),
)
/** Words before `like` after which a title may stand in small letters in any query. */
const workWords = new Set([...leadWords, 'something', 'anything', 'one'])
const likeSuffixes = new Set('like vibe vibes esque style styled'.split(' '))
/** A title in small letters, within a story, has at least as many words. */
const minStoryWords = 3
/** Of what follows `but` in such a query. */
const maxTurnWords = 4

type Found = Omit<Reference, 'kind' | 'role'>

/** The rows of the titles that are as near as the best. */
function rowsOf(matches: readonly TitleMatch[], { similarity }: TitleMatch): readonly number[] {
  const rows = matches.filter((match) => match.similarity === similarity).map(({ row }) => row)
  return [...new Set(rows)]
}
