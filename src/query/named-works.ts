/** Titles inside a query where something says that one stands there, such as `like` or `by the makers of`. */
import type { TitleLookup, TitleMatch } from './interpretation.js'
import type { PhraseTable } from './phrase-table.js'
import { endsSentence, type QueryWord, queryWords, stemOf } from './query-words.js'
import { nearTitle, partOfTitle, sameTitle } from './read-title.js'

/** Words [begin, end) that name works. */
export interface NamedWork {
  readonly begin: number
  readonly end: number
  readonly title: string
  readonly rows: readonly number[]
  readonly similarity: number
}

/** Of a query that is being read. */
export interface NamingQuery {
  readonly query: string
  readonly words: readonly QueryWord[]
  readonly titles: TitleLookup
  readonly isWish: boolean
  /** Where what follows `like` or `anime like` at the beginning of the query begins. */
  readonly lead: number
  readonly tables: NamingTables
}

export interface NamingTables {
  readonly turns: PhraseTable<true>
  readonly joins: PhraseTable<true>
  readonly filler: PhraseTable<true>
  readonly negations: PhraseTable<true>
  /** How many words from one on are a fact, such as `isekai`. */
  readonly factLength: (begin: number) => number
  /** Whether a fact or a negation begins at a word. */
  readonly startsWish: (position: number) => boolean
  /** Whether a negation begins at a word, with what it excludes. */
  readonly startsExclusion: (position: number) => boolean
}

export interface NamedWorks {
  /** The title that begins at a word, the longest that is spelt so, else the nearest of its clause. */
  titleAt(begin: number, isNamed?: boolean): NamedWork | undefined
  /** The title that words are. */
  titleOf(
    begin: number,
    end: number,
    look?: TitleLookup['match'],
    isNamed?: boolean,
  ): NamedWork | undefined
  /** Where a title may end: at the end of its clause, before a turn or a join, and before trailing filler. */
  cutsFrom(begin: number): Iterable<number>
}

/** The longest title that is looked for, in words. */
export const maxTitleWords = 16
/** A shorter word is a title only where it is spelt so. */
const minFuzzyLength = 5
const minSimilarity = 0.84
/** A title in small letters, within a story, has at least as many words. */
const minStoryWords = 3

/** Words between `like` and a title. */
export const leadWords: ReadonlySet<string> = new Set(
  ['the', 'anime', 'manga', 'show', 'series', 'movie', 'film', 'stuff'].map(stemOf),
)
/** Words before `like` after which a title may stand in small letters in any query. */
export const workWords = new Set([...leadWords, 'something', 'anything', 'one'])

export function createNamedWorks({
  query,
  words,
  titles,
  isWish,
  lead,
  tables: { turns, joins, filler, negations, factLength, startsWish, startsExclusion },
}: NamingQuery): NamedWorks {
  return { titleAt, titleOf, cutsFrom: (begin) => cutsOf(begin, clauseEnd(begin)) }

  function titleAt(begin: number, isNamed = false): NamedWork | undefined {
    if (endsSentence(query, words[begin - 1])) return undefined
    const atOnce = titleFrom(begin, isNamed)
    if (atOnce !== undefined) return atOnce
    let from = begin
    while (from < words.length && isLead(from)) from += 1
    const afterLead = from > begin ? titleFrom(from, isNamed) : undefined
    return afterLead && { ...afterLead, begin }
  }

  function titleFrom(from: number, isNamed: boolean): NamedWork | undefined {
    const limit = clauseEnd(from)
    // Marks may be in a title, so it may go on beyond what looks like the end of a clause.
    for (let end = Math.min(words.length, from + maxTitleWords); end > from; end -= 1) {
      const match = titleOf(from, end, titles.exact, isNamed)
      if (match !== undefined) return longer(match, from, limit) ?? match
    }
    if (isExcluded(from, limit)) return undefined
    for (const end of cutsOf(from, limit)) {
      const match = titleOf(from, end)
      if (match !== undefined && (match.similarity > nearTitle || !goesOn(end, limit))) return match
    }
    return undefined
  }

  /** `i think. not Naruto` names what it does not want. */
  function isExcluded(from: number, limit: number): boolean {
    const negation = negations.longestAt(words, from)
    if (negation === undefined) return false
    const title = from + negation.length
    for (let end = limit; end > title; end -= 1) {
      if (titleOf(title, end, titles.exact) !== undefined) return true
    }
    return false
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
    return turn !== undefined || startsExclusion(position)
  }

  /** `ouran host club` is more of the title of which `ouran` is another name. */
  function longer({ end: known, rows }: NamedWork, from: number, limit: number) {
    let last = known
    while (last < limit && !isTurn(last)) last += 1
    for (let end = last; end > known; end -= 1) {
      const match = titleOf(from, end)
      if (match?.rows.some((row) => rows.includes(row))) return match
    }
    return undefined
  }

  /** `i` of `loved naruto and i feel empty` is no work. */
  function isAllFiller(begin: number, end: number): boolean {
    return words.slice(begin, end).every((_, at) => filler.longestAt(words, begin + at))
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

  function* cutsOf(from: number, limit: number): Iterable<number> {
    yield limit
    for (let end = from + 1; end < limit; end += 1) {
      if (isTurn(end) || filler.longestAt(words, end) !== undefined) yield end
    }
  }

  function titleOf(
    begin: number,
    end: number,
    look = titles.match,
    isNamed = false,
  ): NamedWork | undefined {
    const [first, last] = [words[begin], words[end - 1]]
    if (first === undefined || last === undefined || end <= begin) return undefined
    const said = query.slice(first.begin, last.end)
    // `like Naruto's humor` names Naruto.
    const text = titles.exact(said).length > 0 ? said : said.replace(/['’]s$/i, '')
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
    if (isAllFiller(begin, end) && !last.endsClause && end < words.length && !isTurn(end))
      return undefined
    // `isekai but not harem` and `feels like a dream` name no work that has the word in its title; `demon slayer` is
    // all before a subtitle.
    const telling = /^an?$/.test(first.folded) ? begin + 1 : begin
    const isSubject = end > telling && factLength(telling) >= end - telling
    const enough = !isExact && isSubject ? sameTitle : least
    return namedBy(
      look(text).filter(({ similarity }) => similarity >= enough),
      begin,
      end,
    )
  }
}

/** The work that titles name, the nearest first. */
export function namedBy(
  matches: readonly TitleMatch[],
  begin: number,
  end: number,
): NamedWork | undefined {
  const [best] = matches
  if (best === undefined) return undefined
  const { title, similarity } = best
  return { begin, end, title, similarity, rows: rowsOf(matches, best) }
}

/** The rows of the titles that are as near as the best. */
function rowsOf(matches: readonly TitleMatch[], { similarity }: TitleMatch): readonly number[] {
  const rows = matches.filter((match) => match.similarity === similarity).map(({ row }) => row)
  return [...new Set(rows)]
}

/** Two words of a long title: `hero with just a shield`. */
export const isChance = ({ begin, end, title, similarity }: NamedWork): boolean =>
  end - begin > 1 && similarity <= partOfTitle && queryWords(title).length > end - begin + 2

/** The last of the works goes on to what is said behind it. */
export const withEnd = (works: readonly NamedWork[], end: number): readonly NamedWork[] =>
  works.map((work, position) => (position === works.length - 1 ? { ...work, end } : work))
