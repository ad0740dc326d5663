/** Works that somebody says they know or love: `just finished X and Y, what next`, `loved the humor in X`. */
import type { KnownWorks } from './known-works.js'
import type { NamedWork } from './named-works.js'
import { haveAny, type PhraseTable } from './phrase-table.js'
import type { QueryWord } from './query-words.js'
import { denials, ours, speakers } from './small-words.js'
import { isOfAudience } from './somebody.js'

export interface SeenQuery {
  readonly query: string
  readonly words: readonly QueryWord[]
  readonly isWish: boolean
  readonly known: KnownWorks
  readonly tables: SeenTables
}

export interface SeenTables {
  readonly seen: PhraseTable<true>
  readonly turns: PhraseTable<true>
  readonly filler: PhraseTable<true>
  readonly wishes: PhraseTable<true>
  readonly negations: PhraseTable<true>
  readonly negationGap: PhraseTable<true>
  readonly startsWish: (position: number) => boolean
}

/** Words before `watched` at the beginning of a query; after `my`, anybody. */
const tellers = new Set([
  ...speakers,
  ...ours,
  ...'me and just only recently already finally really have had so both'.split(' '),
])
/** Between what somebody loves and the work: `the humor in Gintama`. */
const within = new Set(['in', 'of', 'from'])
const maxWithinWords = 4
/** What tells how much of a work, or when: `finished Berserk up to where it stops`. */
const extents = new Set('up until till through yesterday again twice'.split(' '))
/** So few words that are a whole title are too often others in a told story. */
const minStoryWords = 2

/** The work that somebody says at a word to have seen; in a told story there is none unless something is asked for. */
export function seenAt(asked: SeenQuery, position: number): NamedWork | undefined {
  const { query, words, known, tables } = asked
  const said = tables.seen.longestAt(words, position)
  if (said === undefined) return undefined
  const isSaid = isTeller(words, position) || isOfViewer(words, position) || isAsking(asked)
  if (!isSaid) return undefined
  const from = position + said.length
  const work = workAt(asked, from)
  if (work !== undefined) return { ...work, begin: position }
  for (let at = from + 1; at < Math.min(words.length, from + maxWithinWords); at += 1) {
    if (words[at - 1]?.endsClause) return undefined
    if (!within.has(words[at]?.folded ?? '')) continue
    const inside = workAt(asked, at + 1)
    if (inside !== undefined) return { ...inside, begin: at }
  }
  return undefined

  function workAt({ isWish }: SeenQuery, begin: number): NamedWork | undefined {
    const isUntil = extents.has(words[begin + 1]?.folded ?? '')
    const found = known.at(begin) ?? (isUntil ? known.of(begin, begin + 1) : undefined)
    if (found === undefined || !endsAt(asked, found.end)) return undefined
    // A name with its capital is one: `finished Berserk up to where it stops`.
    const isName = /^\p{Lu}/u.test(query.slice(words[begin]?.begin))
    const isSure = found.similarity === 1 && (isName || found.end - begin >= minStoryWords)
    return isWish || isSure ? found : undefined
  }
}

/** Whether something is asked for. */
export const isAsking = ({
  words,
  tables,
}: {
  readonly words: readonly QueryWord[]
  readonly tables: Pick<SeenTables, 'wishes'>
}): boolean => haveAny(words, tables.wishes)

/** Whether nothing but somebody stands before a word: `my daughter loves`. */
const isTeller = (words: readonly QueryWord[], position: number): boolean =>
  words
    .slice(0, position)
    .every(({ folded }, at) => tellers.has(folded) || ours.has(words[at - 1]?.folded ?? ''))

/** So many words may tell for whom something is wished: `my 8 year old daughter`. */
const maxViewerWords = 5

/** Whether somebody for whom something is wished stands before a word: `my little sister loves`, `for a kid who loves`. */
function isOfViewer(words: readonly QueryWord[], position: number): boolean {
  if (isOfAudience(words, position - 1)) return true
  const isWho = words[position - 1]?.folded === 'who'
  const first = words[0]?.folded ?? ''
  return position <= maxViewerWords && (ours.has(first) || (isWho && first === 'for'))
}

/** Whether what stands before a word may end there. */
function endsAt({ words, known, tables }: SeenQuery, end: number): boolean {
  if (end === words.length || words[end - 1]?.endsClause || known.linkAt(end) !== undefined)
    return true
  if (extents.has(words[end]?.folded ?? '')) return true
  const { turns, filler, wishes, startsWish } = tables
  const follows = (table: PhraseTable<true>) => table.longestAt(words, end) !== undefined
  return [turns, filler, wishes].some(follows) || startsWish(end)
}

const maxDenialGap = 3

/** Whether what is said at a word is denied: `didn't really like X`. */
export function isDenied(
  words: readonly QueryWord[],
  position: number,
  { negations, negationGap, filler, turns }: SeenTables,
): boolean {
  for (let at = position - 1; at >= position - maxDenialGap; at -= 1) {
    const word = words[at]
    if (word === undefined || word.endsClause) return false
    if (denials.has(word.folded) || negations.longestAt(words, at) !== undefined) return true
    const isGap = [negationGap, filler].some((table) => table.longestAt(words, at) !== undefined)
    if (!isGap || turns.longestAt(words, at) !== undefined) return false
  }
  return false
}
