/**
 * Works that are named without doubt, so that words that say little about it may stand around them: `watched X`,
 * `X meets Y`, `X without the harem`.
 */
import type { TitleLookup } from './interpretation.js'
import {
  leadWords,
  maxTitleWords,
  namedBy,
  type NamedWork,
  type NamedWorks,
} from './named-works.js'
import type { PhraseTable } from './phrase-table.js'
import type { QueryWord } from './query-words.js'
import { sameTitle } from './read-title.js'

/** Several titles with what joins them. */
export const maxListWords = 24

export interface KnownQuery {
  readonly query: string
  readonly words: readonly QueryWord[]
  readonly titles: TitleLookup
  readonly tables: {
    readonly joins: PhraseTable<true>
    readonly crosses: PhraseTable<true>
    readonly filler: PhraseTable<true>
    readonly factLength: (begin: number) => number
  }
  readonly named: NamedWorks
}

export interface KnownWorks {
  /** The work that begins at a word. */
  at(begin: number): NamedWork | undefined
  /** The work that [begin, end) is; several words are spelt as its title. */
  of(begin: number, end: number): NamedWork | undefined
  /** The works that are all of [begin, end), with `and` and the like between them. */
  listOf(begin: number, end: number): readonly NamedWork[] | undefined
  /** Words of `x` and `meets`, which cross one work with another; 0 for a mark such as `+`, undefined of all else. */
  crossAt(position: number): number | undefined
  /** The same of these and of `and` and the like. */
  linkAt(position: number): number | undefined
}

export function createKnownWorks({ query, words, titles, tables, named }: KnownQuery): KnownWorks {
  const { joins, crosses, filler, factLength } = tables
  const look = titles.known ?? titles.exact
  return { at, of, listOf, crossAt, linkAt }

  function of(begin: number, end: number): NamedWork | undefined {
    return workOf(begin, end, end - begin > 1 ? titles.exact : look)
  }

  function at(begin: number): NamedWork | undefined {
    for (let end = Math.min(words.length, begin + maxTitleWords); end > begin + 1; end -= 1) {
      const work = workOf(begin, end, titles.exact)
      if (work !== undefined) return work
    }
    for (const end of named.cutsFrom(begin)) {
      const work = workOf(begin, end)
      if (work !== undefined) return work
    }
    return undefined
  }

  function listOf(begin: number, end: number): readonly NamedWork[] | undefined {
    if (end - begin > maxListWords) return undefined
    const whole = workOf(begin, end)
    if (whole !== undefined) return [whole]
    for (let middle = begin + 1; middle < end; middle += 1) {
      const link = linkAt(middle)
      const first = link === undefined ? undefined : workOf(begin, middle)
      const others = first && listOf(middle + (link ?? 0), end)
      if (first !== undefined && others !== undefined) return [first, ...others]
    }
    return undefined
  }

  function linkAt(position: number): number | undefined {
    return joins.longestAt(words, position)?.length ?? crossAt(position)
  }

  function crossAt(position: number): number | undefined {
    const said = crosses.longestAt(words, position)
    if (said !== undefined) return said.length
    const between = query.slice(words[position - 1]?.end, words[position]?.begin)
    return position > 0 && /^\s*[,+&/×]\s*$/.test(between) ? 0 : undefined
  }

  function workOf(begin: number, end: number, find = look): NamedWork | undefined {
    const [first, last] = [words[begin], words[end - 1]]
    if (first === undefined || last === undefined || end <= begin) return undefined
    if (end - begin === 1 && isPlain(begin)) return undefined
    const work = namedBy(find(query.slice(first.begin, last.end)), begin, end)
    const isSubject = factLength(begin) >= end - begin
    return isSubject && (work?.similarity ?? 0) < sameTitle ? undefined : work
  }

  /** `another` and `the show` are hardly ever titles. */
  function isPlain(position: number): boolean {
    const isFiller = filler.longestAt(words, position)?.length === 1
    return isFiller || leadWords.has(words[position]?.stem ?? '')
  }
}
