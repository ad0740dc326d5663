/** Wishes of which one is enough: `boxing or yakuza`, `pirates, ninjas or samurai`, `boxing/yakuza`. */
import type { Reading } from './interpretation.js'

type Subject = Extract<Reading, { readonly kind: 'topic' | 'person' }>

const isSubject = (reading: Reading): reading is Subject =>
  (reading.kind === 'topic' || reading.kind === 'person') && !reading.excluded

/** The readings in their order; each of several alternatives has the position where the first of them begins. */
export function withAlternatives(query: string, readings: readonly Reading[]): readonly Reading[] {
  const groups = groupsOf(query, readings.filter(isSubject))
  if (groups.length === 0) return readings
  return readings.map((reading) => {
    const group = groups.find((group) => group.some((one) => one === reading))
    return group?.[0] === undefined ? reading : { ...reading, either: group[0].begin }
  })
}

/** Each run of wishes of which the last two are joined by `or`. */
function groupsOf(query: string, wishes: readonly Subject[]): readonly (readonly Subject[])[] {
  const groups: Subject[][] = []
  let run: Subject[] = []
  let isChosen = false
  const close = () => {
    if (isChosen) groups.push(run)
    run = []
    isChosen = false
  }
  for (const [index, wish] of wishes.entries()) {
    const before = run.at(-1)
    const said = before && linkOf(query, before, wish)
    const isOfTwo =
      touches(query, wishes[index - 2], before) && touches(query, wish, wishes[index + 1])
    const link = isOfTwo ? undefined : said
    if (before && link === 'or') {
      // `romance, samurai or ninja` has two alternatives: only what is alike makes a list.
      if (!isChosen) run = run.slice(run.findLastIndex((one) => !areAlike(one, before)) + 1)
      isChosen = true
    } else if (isChosen || link === undefined) close()
    run.push(wish)
  }
  close()
  return groups
}

const orPattern =
  /^\s*(?:,\s*)?(?:and\s*\/\s*)?or\s+(?:(?:at least|maybe|even|some|with|about|in|set in|a|an|the)\s+)*$/i

function linkOf(query: string, one: Subject, next: Subject): 'or' | 'comma' | undefined {
  if (one.kind !== next.kind || next.begin < one.end) return undefined
  const between = query.slice(one.end, next.begin)
  if (orPattern.test(between)) return 'or'
  // `action/comedy` is both.
  if (/^\s*\/\s*$/.test(between)) return isGenre(one) || isGenre(next) ? undefined : 'or'
  return /^\s*,\s*$/.test(between) ? 'comma' : undefined
}

/** Whether nothing is between: `sad romance or happy romance` are not alternatives word by word. */
const touches = (query: string, one: Subject | undefined, next: Subject | undefined): boolean =>
  one !== undefined && next !== undefined && /^\s+$/.test(query.slice(one.end, next.begin))

const isGenre = (wish: Subject): boolean => wish.kind === 'topic' && wish.genres.length > 0

const areAlike = (one: Subject, other: Subject): boolean =>
  one.kind === 'topic' && other.kind === 'topic'
    ? isGenre(one) === isGenre(other) && one.isSubject === other.isSubject
    : one.kind === other.kind
