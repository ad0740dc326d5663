/** What a negation excludes: facts and works, joined by `or` and the like, else the words of its clause. */
import { titleAfter } from './excluded-title.js'
import type { Fact, Reading, TitleLookup } from './interpretation.js'
import type { QueryTables } from './query-tables.js'
import type { QueryWord } from './query-words.js'

export interface FactHit {
  readonly length: number
  readonly fact: Fact
  readonly label: string
  readonly confidence: number
  readonly isNarrow?: boolean
  readonly canLack?: boolean
}

/** Of a query that is being read. Functions that exclude return the word that follows. */
export interface Exclusions {
  readonly query: string
  readonly words: readonly QueryWord[]
  readonly tables: Pick<
    QueryTables,
    'negations' | 'negationGap' | 'joins' | 'turns' | 'praises' | 'lacks' | 'bearers'
  >
  readonly titles: Pick<TitleLookup, 'exact' | 'match'>
  readonly isWish: boolean
  readonly factAt: (position: number) => FactHit | undefined
  /** @param begin of the reading, which has the negation, too; the fact itself begins at `from` */
  readonly excludeFact: (begin: number, from: number, hit: FactHit) => number
  readonly exclude: (begin: number, end: number, reading: ExcludedReading) => number
}

type ExcludedReading = Pick<Reading, 'label' | 'confidence'> &
  (
    | { readonly kind: 'title'; readonly rows: readonly number[] }
    | { readonly kind: 'words'; readonly words: string }
  )

/** Words between a negation and what it excludes: `without too much of a romance`. */
const maxGap = 4
const maxExcludedWords = 2

/** Returns the word that follows what is excluded. */
export function readExclusion(asked: Exclusions, begin: number, afterNegation: number): number {
  const { words, tables, isWish } = asked
  const isNegation = (position: number) => tables.negations.longestAt(words, position) !== undefined
  if (words[afterNegation - 1]?.endsClause) return afterNegation
  const from = afterGap(asked, afterNegation)
  const lacked = lackedBy(asked, begin, afterNegation, from)
  if (lacked !== undefined) return lacked
  const first = excludeAt(asked, begin, from)
  if (first === undefined) return isWish ? excludeWords(asked, begin, from) : afterNegation
  for (let end = first; ;) {
    const join = tables.joins.longestAt(words, end)
    if (join === undefined || words[end - 1]?.endsClause === true) return end
    const next = end + join.length
    // `not isekai and not harem` excludes anew.
    if (isNegation(end) || isNegation(next)) return end
    // `no fanservice and good fights` excludes no fights.
    if (tables.praises.longestAt(words, next) !== undefined) return end
    const after = excludeAt(asked, end, next)
    if (after === undefined) return isWish ? excludeWords(asked, end, next) : end
    end = after
  }
}

function afterGap({ words, tables, factAt }: Exclusions, afterNegation: number): number {
  let from = afterNegation
  for (let gap = 0; gap < maxGap && factAt(from) === undefined; gap += 1) {
    if (tables.negationGap.longestAt(words, from) === undefined) break
    from += 1
  }
  return from
}

/** Words between somebody and what they lack: `a girl who has no memory`. */
const relatives = new Set(
  'who that which has have had having is are was were born lives living with and'.split(' '),
)

/**
 * `a boy without magic` and `a world with no men` describe somebody or something, and exclude nothing, unless what
 * is lacking is said of works alone: `a girl, no romance`. Returns the word that follows.
 */
function lackedBy(
  { words, tables, factAt }: Exclusions,
  begin: number,
  afterNegation: number,
  from: number,
): number | undefined {
  if (tables.lacks.longestAt(words, begin)?.length !== afterNegation - begin) return undefined
  let at = begin - 1
  while (relatives.has(words[at]?.folded ?? '')) at -= 1
  if (tables.bearers.longestAt(words, at) === undefined || words[at]?.endsClause) return undefined
  const canLack = (position: number) => factAt(position)?.canLack ?? true
  if (!canLack(from)) return undefined
  for (let end = from + (factAt(from)?.length ?? 0); ;) {
    const join = tables.joins.longestAt(words, end)?.length
    const other = join === undefined ? undefined : factAt(end + join)
    if (join === undefined || other?.canLack !== true) return end
    end += join + other.length
  }
}

/** A fact or a work, whichever has more words. */
function excludeAt(asked: Exclusions, begin: number, from: number): number | undefined {
  const { query, words, titles, isWish, factAt, excludeFact, exclude } = asked
  const hit = factAt(from)
  const found = isWish
    ? titleAfter(query, words, from, {
        ...{ titles, factLength: hit?.length ?? 0 },
        endsAt: (position) => turnOrJoin(asked, position),
      })
    : undefined
  if (found === undefined) return hit && excludeFact(begin, from, hit)
  const { end, title: label, rows, similarity: confidence } = found
  return exclude(begin, end, { kind: 'title', label, confidence, rows })
}

function excludeWords(asked: Exclusions, begin: number, from: number): number {
  const { words, exclude } = asked
  let end = from
  while (end < words.length && end - from < maxExcludedWords) {
    if (turnOrJoin(asked, end) !== undefined) break
    end += 1
    if (words[end - 1]?.endsClause) break
  }
  // `a detective without memory solves crimes` excludes nothing: what is excluded ends its clause.
  const endsThere = end === words.length || words[end - 1]?.endsClause === true
  const turnsThere = turnOrJoin(asked, end) !== undefined
  if (end === from || !(endsThere || turnsThere)) return from
  const text = words
    .slice(from, end)
    .map(({ folded }) => folded)
    .join(' ')
  return exclude(begin, end, { kind: 'words', label: text, words: text, confidence: 0.5 })
}

const turnOrJoin = ({ words, tables }: Exclusions, position: number) =>
  tables.turns.longestAt(words, position) ?? tables.joins.longestAt(words, position)
