/** Chooses among overlapping candidates: the set of spans that do not overlap whose scores have the highest sum. */
import { constants } from '../../base/constants/constants.js'
import type { Candidate, Candidates } from './candidates.js'
import {
  type Covers,
  type KnownWords,
  type TakeFeature,
  attitudes,
  layoutOf,
  meaningFeatures,
  placeFeatures,
} from './features.js'
import type { QueryKinds } from './query-kind.js'
import type { WorkSpan } from './work-span.js'

/** What a fact or a work is to the person; none of these for words that say nothing of what is wanted. */
export const factRoles = ['request', 'refuse'] as const
export const workRoles = ['like', 'seen', 'disliked', 'subject', 'makers'] as const
type FactRole = (typeof factRoles)[number]
type WorkRole = (typeof workRoles)[number]

export type Chosen = Candidate & {
  readonly role: FactRole | WorkRole
  /** 0 to 1: how likely it is that the words mean this, whatever its role. */
  readonly likelihood: number
}

/** By feature: the log-odds that a candidate is right at all, then the weight of each role. */
export interface RoleWeights extends KnownWords {
  readonly fact: ReadonlyMap<string, readonly number[]>
  readonly work: ReadonlyMap<string, readonly number[]>
}

/** Calls back with each candidate, and with what gives the features of its place and of its meaning. */
export function eachCandidate(
  read: Candidates,
  kinds: QueryKinds,
  known: KnownWords,
  visit: (
    candidate: Candidate,
    ofPlace: (take: TakeFeature) => void,
    ofMeaning: (take: TakeFeature) => void,
  ) => void,
): void {
  const layout = layoutOf(read)
  const coversOf = createCovers(read)
  for (const candidate of read.candidates) {
    visit(
      candidate,
      (take) => {
        placeFeatures(read, layout, kinds, known, candidate, take)
      },
      (take) => {
        meaningFeatures(read, candidate, coversOf(candidate), kinds, known, layout, take)
      },
    )
  }
}

export function choose(
  read: Candidates,
  kinds: QueryKinds,
  weights: RoleWeights,
  isAllowed: (candidate: Candidate) => boolean,
): readonly Chosen[] {
  const scored: Scored[] = []
  /** What the place of a candidate adds to its sums: the same for all meanings of the same words. */
  const places = new Map<string, Float64Array>()
  eachCandidate(read, kinds, weights, (candidate, ofPlace, ofMeaning) => {
    if (!isAllowed(candidate)) return
    const { group, from, to } = candidate
    const roles = group === 'fact' ? factRoles : workRoles
    const table = weights[group]
    const sumInto =
      (sums: Float64Array) =>
      (name: string, value = 1) => {
        const row = table.get(name)
        if (row === undefined) return
        for (let at = 0; at < sums.length; at += 1)
          sums[at] = (sums[at] ?? 0) + value * (row[at] ?? 0)
      }
    const key = `${group} ${from} ${to}`
    let place = places.get(key)
    if (place === undefined) {
      place = new Float64Array(roles.length + 1)
      places.set(key, place)
      ofPlace(sumInto(place))
    }
    const sums = place.slice()
    ofMeaning(sumInto(sums))
    const [score = 0, ...logits] = sums
    if (score > 0)
      scored.push({ ...candidate, logits, roles, score, likelihood: 1 / (1 + Math.exp(-score)) })
  })
  return withRoles(heaviest(scored, read.words.length), read)
}

type Scored = Candidate & {
  readonly roles: readonly (FactRole | WorkRole)[]
  readonly logits: readonly number[]
  readonly score: number
  readonly likelihood: number
}

/** What a list has between two works: commas, `and`, bullets, brackets. */
const listMark = /^(?:[\s,;&/+*•()[\]"“”'._-]|\b(?:and|or|plus|also|then)\b)*$/iu
const maxListMark = 12
const maxSkipped = 8

/** Works of one list have one role: the likeliest of all together. */
function withRoles(
  chosen: readonly Scored[],
  { query, words, cues }: Candidates,
): readonly Chosen[] {
  const isLinked = (one: Scored | undefined, other: Scored): boolean => {
    if (one?.group !== 'work' || other.group !== 'work') return false
    const between = query.slice(words[one.to - 1]?.end, words[other.from]?.begin)
    if (between.length <= maxListMark && listMark.test(between)) return true
    return isSkipped(one.to, other.from)
  }
  /** Whether the words between are members of a list that are not read. */
  const isSkipped = (from: number, to: number): boolean =>
    to - from <= maxSkipped &&
    words[from - 1]?.endsClause === true &&
    words[to - 1]?.endsClause === true &&
    !words.slice(from - 1, to).some(({ endsSentence }) => endsSentence) &&
    !cues.some((cue) => cue.from >= from && cue.to <= to && attitudes.includes(cue.name))
  const groups: Scored[][] = []
  chosen.forEach((one, at) => {
    if (isLinked(chosen[at - 1], one)) groups.at(-1)?.push(one)
    else groups.push([one])
  })
  return groups.flatMap((group) =>
    group.map(({ logits, roles, ...one }): Chosen => {
      const shared = roles.map((_, role) => {
        const mean = group.reduce((sum, { logits }) => sum + (logits[role] ?? 0), 0) / group.length
        return (logits[role] ?? 0) + mean
      })
      const best = shared.indexOf(Math.max(...shared))
      return { ...(one as Candidate), role: roles[best] ?? 'request', likelihood: one.likelihood }
    }),
  )
}

/** Weighted interval scheduling. */
function heaviest<T extends Scored>(scored: readonly T[], wordCount: number): readonly T[] {
  const ending: T[][] = Array.from({ length: wordCount + 1 }, () => [])
  for (const one of scored) ending[one.to]?.push(one)
  const sums = new Float64Array(wordCount + 1)
  const taken: (T | undefined)[] = Array.from({ length: wordCount + 1 })
  for (let at = 1; at <= wordCount; at += 1) {
    sums[at] = sums[at - 1] ?? 0
    for (const one of ending[at] ?? []) {
      const sum = (sums[one.from] ?? 0) + one.score
      if (sum > (sums[at] ?? 0)) {
        sums[at] = sum
        taken[at] = one
      }
    }
  }
  const chosen: T[] = []
  for (let at = wordCount; at > 0;) {
    const one = taken[at]
    if (one === undefined) {
      at -= 1
      continue
    }
    chosen.push(one)
    at = one.from
  }
  return chosen.reverse()
}

/** Parts of a whole title name no other work. */
const isSure = ({ match, similarity }: WorkSpan): boolean =>
  match === 'exact' || (match === 'whole' && similarity >= constants().titles.sure)

/** A title of one word covers nothing. */
const minCover = 2
/** Longer phrases cover few others. */
const maxCover = 12

function createCovers({ words, candidates, cues }: Candidates): (candidate: Candidate) => Covers {
  const ends = () => new Uint16Array(words.length)
  const [facts, works, filler] = [ends(), ends(), ends()]
  const factsAt = new Map<number, string>()
  const worksAt = new Set<number>()
  const cuesAt = new Set<number>()
  const keyOf = ({ from, to }: Pick<Candidate, 'from' | 'to'>) => from * 1024 + to
  const raise = (list: Uint16Array, { from, to }: Pick<Candidate, 'from' | 'to'>) => {
    if (to - from >= minCover) list[from] = Math.max(list[from] ?? 0, to)
  }
  for (const candidate of candidates) {
    if (candidate.group === 'fact') {
      raise(facts, candidate)
      if (!factsAt.has(keyOf(candidate))) factsAt.set(keyOf(candidate), candidate.sense.list)
    } else {
      if (isSure(candidate.work)) raise(works, candidate)
      if (isSure(candidate.work)) worksAt.add(keyOf(candidate))
    }
  }
  for (const cue of cues) {
    cuesAt.add(keyOf(cue))
    if (cue.name === 'filler') raise(filler, cue)
  }
  const isCovered = (list: Uint16Array, { from, to }: Candidate, isStrict: boolean) => {
    for (let begin = Math.max(0, from - maxCover); begin <= from; begin += 1) {
      const end = list[begin] ?? 0
      if (end < to) continue
      if (!isStrict || end > to || begin < from) return true
    }
    return false
  }
  return (candidate) => ({
    byFact: isCovered(facts, candidate, true),
    byWork: isCovered(works, candidate, true),
    byFiller: isCovered(filler, candidate, true),
    factHere: factsAt.get(keyOf(candidate)),
    workHere: worksAt.has(keyOf(candidate)),
    cueHere: cuesAt.has(keyOf(candidate)),
  })
}
