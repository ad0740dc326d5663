/**
 * What the choice of candidates depends on: features with names, each 1 or a share. Those of the place are the same for all that
 * the same words may mean.
 */
import type { Candidate, Candidates, Cue } from './candidates.js'
import { type WordClass, wordClasses } from './lexicon.js'
import { type QueryKinds, queryKinds } from './query-kind.js'
import { stemOf } from '../../base/text/stem.js'

export type TakeFeature = (name: string, value?: number) => void

/** The words that have features of their own, as neighbours of a candidate and as phrases. */
export interface KnownWords {
  readonly neighbours: ReadonlySet<string>
  readonly phrases: ReadonlySet<string>
}

/** Classes that state what a person thinks of the words before or behind them. */
export const attitudes: readonly WordClass[] = [
  ...(['like', 'liked', 'praise', 'seen', 'known', 'besides', 'disliked', 'not', 'less'] as const),
  ...(['by', 'makersOf', 'want', 'question', 'but', 'optional'] as const),
]
/** Classes whose presence in one sentence means more together: `watched and loved`. */
const stances = new Set<WordClass>([
  ...(['like', 'liked', 'seen', 'known', 'besides', 'disliked', 'not', 'question'] as const),
])
/** Directly behind these a work is expected. */
const introducing: readonly WordClass[] = [
  ...(['like', 'liked', 'seen', 'besides', 'disliked', 'question', 'makersOf', 'by'] as const),
]
const placed: readonly WordClass[] = [...attitudes, 'cross', 'story']

export interface Layout {
  /** Of each word, the number of its sentence and of its clause. */
  readonly sentences: Uint16Array
  readonly clauses: Uint16Array
  readonly sentenceCount: number
  /** By class: of each position, the nearest cue that ends there or before, and that begins there or behind. */
  readonly before: Readonly<Record<WordClass, readonly (Cue | undefined)[]>>
  readonly after: Readonly<Record<WordClass, readonly (Cue | undefined)[]>>
  readonly hasCapitals: boolean
}

export function layoutOf({ query, words, cues }: Candidates): Layout {
  const sentences = new Uint16Array(words.length + 1)
  const clauses = new Uint16Array(words.length + 1)
  words.forEach((word, at) => {
    sentences[at + 1] = (sentences[at] ?? 0) + (word.endsSentence ? 1 : 0)
    clauses[at + 1] = (clauses[at] ?? 0) + (word.endsClause ? 1 : 0)
  })
  const byClass = <T>(of: (name: WordClass) => T) =>
    Object.fromEntries(wordClasses.map((name) => [name, of(name)])) as Record<WordClass, T>
  const listed = byClass((): Cue[] => [])
  for (const cue of cues) listed[cue.name].push(cue)
  const before = byClass((name) => {
    const ending: (Cue | undefined)[] = Array.from({ length: words.length + 1 })
    for (const cue of listed[name]) ending[cue.to] ??= cue
    for (let at = 1; at <= words.length; at += 1) ending[at] ??= ending[at - 1]
    return ending
  })
  const after = byClass((name) => {
    const beginning: (Cue | undefined)[] = Array.from({ length: words.length + 1 })
    for (const cue of listed[name]) beginning[cue.from] = cue
    for (let at = words.length - 1; at >= 0; at -= 1) beginning[at] ??= beginning[at + 1]
    return beginning
  })
  return {
    sentences,
    clauses,
    before,
    after,
    sentenceCount: (sentences[words.length - 1] ?? 0) + 1,
    hasCapitals: words.some(({ isCapital }) => isCapital) && query !== query.toUpperCase(),
  }
}

const joined = new Map<string, Map<string, string>>()
/** `one other`, the same string each time: a table finds it without reading its letters again. */
function named(one: string, other: string): string {
  let others = joined.get(one)
  if (others === undefined) joined.set(one, (others = new Map<string, string>()))
  let name = others.get(other)
  if (name === undefined) others.set(other, (name = `${one} ${other}`))
  return name
}

/** A cue that is further behind is about something else. */
const maxBreaks = 3

const digits = '0123456789'.split('')

const distanceOf = (words: number): string =>
  words < 3 ? (digits[words] ?? '') : words < 5 ? '3' : words < 9 ? '5' : '9'
/** Clauses between: a cue behind a list is about its last members. */
const breaksOf = (clauses: number): string =>
  clauses < 3 ? (digits[clauses] ?? '') : clauses < 6 ? '3' : '6'
const sizeOf = (words: number): string =>
  words < 4 ? '1' : words < 9 ? '4' : words < 21 ? '9' : words < 61 ? '21' : '61'

/** Features of the place of a candidate. */
export function placeFeatures(
  { query, words, isUnknown }: Candidates,
  { sentences, clauses, sentenceCount, before, after, hasCapitals }: Layout,
  kinds: QueryKinds,
  { neighbours }: KnownWords,
  { from, to }: Pick<Candidate, 'from' | 'to'>,
  add: TakeFeature,
): void {
  const [first, last] = [words[from], words[to - 1]]
  if (first === undefined || last === undefined) return
  const sentence = sentences[from] ?? 0
  const size = sizeOf(words.length)
  add('bias')
  add(named('words', digits[to - from > 3 ? 4 : to - from] ?? ''))
  add(named('size', size))
  const share = (to - from) / words.length
  add(`share ${share === 1 ? 'all' : share > 0.5 ? 'most' : share > 0.2 ? 'some' : 'little'}`)
  for (const kind of queryKinds) add(named('kind', kind), kinds[kind])

  const opensSentence = from === 0 || words[from - 1]?.endsSentence === true
  const written = words.slice(from, to)
  const capitals = written.filter(({ isCapital }) => isCapital).length
  const letterCase = !hasCapitals
    ? 'none'
    : written.some(({ isUpper }) => isUpper)
      ? 'upper'
      : capitals === 0
        ? 'lower'
        : capitals === 1 && first.isCapital && opensSentence
          ? 'opening'
          : capitals === written.length
            ? 'all'
            : 'some'
  add(named('case', letterCase))
  const marks = `${query.charAt(first.begin - 1)}${query.charAt(last.end)}`
  if (/["“”'‘’*_[\]]/.test(marks)) add('quoted')
  if (marks.includes('/')) add('slash')
  if (written.some((word, at) => at < written.length - 1 && word.endsClause)) add('across')
  if (written.some((_, at) => isUnknown[from + at] === true)) add('unknown')

  const opensClause = from === 0 || words[from - 1]?.endsClause === true
  if (opensSentence && last.endsSentence) add('alone in sentence')
  else if (opensClause && last.endsClause) add('alone in clause')
  if (opensSentence) add('opens sentence')
  else if (opensClause) add('opens clause')
  if (last.endsSentence) add('ends sentence')
  else if (last.endsClause) add('ends clause')
  add(
    `sentence ${sentenceCount === 1 ? 'only' : sentence === 0 ? 'first' : sentence === sentenceCount - 1 ? 'last' : 'inner'}`,
  )
  let end = to - 1
  while (end < words.length - 1 && words[end]?.endsSentence !== true) end += 1
  if (query.slice(words[end]?.end ?? 0, (words[end]?.end ?? 0) + 3).includes('?'))
    add('in question')

  const neighbour = (at: number) => {
    const word = words[at]?.folded
    if (word === undefined) return 'none'
    return neighbours.has(word) ? word : 'other'
  }
  if (!opensClause) {
    add(named('before', neighbour(from - 1)))
    if (words[from - 2]?.endsClause === false) add(named('before that', neighbour(from - 2)))
  }
  if (!last.endsClause) {
    add(named('after', neighbour(to)))
    if (words[to]?.endsClause === false) add(named('after that', neighbour(to + 1)))
  }

  const clauseBefore = clauses[from] ?? 0
  const clauseAfter = clauses[to - 1] ?? 0
  let nearest: Cue | undefined
  let second: Cue | undefined
  let next: Cue | undefined
  const has: string[] = []
  const hadBefore: string[] = []
  for (const name of placed) {
    const cue = before[name][from]
    if (cue !== undefined) {
      const cueSentence = sentences[cue.to - 1] ?? 0
      const isAttitude = attitudes.includes(name)
      if (cueSentence === sentence) {
        const breaks = clauseBefore - (clauses[cue.to - 1] ?? 0)
        add(named(name, 'before'))
        if (breaks === 0) add(named(named(name, 'before'), distanceOf(from - cue.to)))
        else add(named(named(name, 'before clause'), breaksOf(breaks)))
        if (isAttitude) {
          if (
            nearest === undefined ||
            cue.to > nearest.to ||
            (cue.to === nearest.to && cue.from < nearest.from)
          ) {
            second = nearest
            nearest = cue
          } else if (second === undefined || cue.to > second.to) second = cue
        }
      } else if (isAttitude && cueSentence === sentence - 1) add(named(name, 'in sentence before'))
      else if (isAttitude && sentence - cueSentence < 8 && sentence > cueSentence)
        add(named(name, 'earlier'))
    }
    const following = after[name][to]
    if (stances.has(name)) {
      const isBefore = cue !== undefined && sentences[cue.to - 1] === sentence
      const isAfter = following !== undefined && sentences[following.from] === sentence
      if (isBefore || isAfter) has.push(name)
      if (cue !== undefined && sentences[cue.to - 1] === sentence - 1) hadBefore.push(name)
    }
    if (following !== undefined) {
      const cueSentence = sentences[following.from] ?? 0
      if (cueSentence === (sentences[to - 1] ?? 0)) {
        const breaks = (clauses[following.from] ?? 0) - clauseAfter
        add(named(name, 'after'))
        if (breaks === 0) add(named(named(name, 'after'), distanceOf(following.from - to)))
        else add(named(named(name, 'after clause'), breaksOf(breaks)))
        if (
          attitudes.includes(name) &&
          breaks < maxBreaks &&
          (next === undefined || following.from < next.from)
        )
          next = following
      } else if (attitudes.includes(name) && cueSentence === sentence + 1)
        add(named(name, 'in sentence after'))
    }
  }
  add(`sentence has ${has.join(' ') || 'nothing'}`)
  if (has.length === 0) add(`sentence before has ${hadBefore.join(' ') || 'nothing'}`)
  const breaks = nearest === undefined ? 0 : clauseBefore - (clauses[nearest.to - 1] ?? 0)
  add(named('governed by', nearest?.name ?? 'nothing'))
  if (nearest !== undefined) {
    add(named(named('governed by', nearest.name), breaks === 0 ? 'here' : 'across'))
    if (second !== undefined)
      add(named(named('governed by', nearest.name), named('and', second.name)))
  }
  add(named('followed by', next?.name ?? 'nothing'))
  if (nearest === undefined && next === undefined) {
    // A list has its cue on the line before.
    for (const name of attitudes) {
      const cue = before[name][from]
      if (cue !== undefined && sentences[cue.to - 1] !== sentence) {
        const line = query.slice(words[cue.to - 1]?.end, first.begin)
        if (line.includes(':')) add(`listed under ${name}`)
      }
    }
  }
}

/** What covers a candidate: a longer phrase or title around the same words. */
export interface Covers {
  readonly byFact: boolean
  readonly byWork: boolean
  readonly byFiller: boolean
  /** A fact with the same words. */
  readonly factHere: string | undefined
  readonly workHere: boolean
  /** Words of a class. */
  readonly cueHere: boolean
}

function bucketOf(value: number, bounds: readonly number[]): string {
  let bucket = 0
  for (const bound of bounds) if (value >= bound) bucket += 1
  return digits[bucket] ?? ''
}

/** Features of one meaning. */
export function meaningFeatures(
  { words }: Candidates,
  candidate: Candidate,
  covers: Covers,
  kinds: QueryKinds,
  { phrases }: KnownWords,
  { hasCapitals, before }: Layout,
  add: TakeFeature,
): void {
  const { from, to } = candidate
  const size = sizeOf(words.length)
  const phrase = words
    .slice(from, to)
    .map(({ folded }) => stemOf(folded))
    .join(' ')
  const isCapital = hasCapitals && words[from]?.isCapital === true
  const isAll = to - from === words.length
  if (candidate.group === 'fact') {
    const { bits } = candidate
    const { list, confidence, isLacking = false, fact } = candidate.sense
    const ofList = named('list', list)
    add(ofList)
    add(named(ofList, named('size', size)))
    add(named(ofList, named('words', digits[to - from > 2 ? 3 : to - from] ?? '')))
    if (isAll) add(named(ofList, 'alone'))
    add(named(ofList, hasCapitals ? (isCapital ? 'capital' : 'small') : 'no case'))
    add(named('sure', bucketOf(confidence, [0.45, 0.58, 0.65, 0.75, 0.85])))
    if (bits !== undefined) add(named(ofList, named('bits', bucketOf(bits, [3, 5, 7, 9, 11]))))
    if (fact.kind === 'length') add(`unit ${fact.unit}`)
    if (isLacking) add('lacking')
    for (const kind of queryKinds) add(named(ofList, kind), kinds[kind])
    const by = before.by[from]
    if (by?.to === from) add(named(ofList, 'by'))
    const want = before.want[from]
    if (want?.to === from) add(named(ofList, 'wanted'))
    const not = before.not[from]
    if (not !== undefined && from - not.to < 3) add(named(ofList, 'not'))
    if (phrases.has(phrase)) add(`phrase ${phrase}`)
    if (covers.byFact) add('in longer fact')
    if (covers.byWork) add('in title')
    if (covers.byFiller) add('in filler')
    if (covers.cueHere) add(named(ofList, 'is cue'))
    if (covers.workHere) {
      add('is title')
      if (isAll) add(named(ofList, 'alone is title'))
    }
    return
  }
  const { work } = candidate
  const { match, similarity, coverage, bits, fame, isMain, seriesCount } = work
  const rarity = bucketOf(bits, [3, 6, 8.5, 10, 12, 16, 24])
  const shown = hasCapitals ? (isCapital ? 'capital' : 'small') : 'no case'
  const length = digits[to - from > 2 ? 3 : to - from] ?? ''
  const ofMatch = named('match', match)
  const ofLength = named('words', length)
  const ofBits = named('bits', rarity)
  add(ofMatch)
  add(named(ofMatch, shown))
  add(named(ofMatch, ofLength))
  if (isAll) add(named(ofMatch, 'alone'))
  add(named(ofMatch, named(ofLength, ofBits)))
  for (const name of introducing) {
    const cue = before[name][from]
    if (cue?.to !== from) continue
    add(named(ofMatch, named('behind', name)))
    add(named(named(ofLength, ofBits), named('behind', name)))
  }
  add(named(named(ofMatch, shown), ofBits))
  add(named(ofMatch, named('size', size)))
  if (fame !== undefined) {
    const known = bucketOf(fame, [0.3, 1.2, 2, 3, 4.6])
    add(named(ofMatch, named('fame', known)))
    add(named(ofBits, named('fame', known)))
  }
  if (match === 'near' || match === 'whole' || match === 'reworded')
    add(
      named(
        named(ofMatch, 'near'),
        bucketOf(similarity, [0.8, 0.86, 0.88, 0.9, 0.93, 0.96, 0.985]),
      ),
    )
  if (match === 'head' || match === 'part' || match === 'reworded')
    add(named(named(ofMatch, 'share'), bucketOf(coverage, [0.15, 0.3, 0.5, 0.7])))
  for (const kind of queryKinds) add(named(ofMatch, kind), kinds[kind])
  add(isMain ? 'main' : 'not main')
  add(named('series', digits[Math.min(3, seriesCount)] ?? ''))
  if (covers.byWork) add(named(ofMatch, 'in longer title'))
  if (covers.byFact) add('in longer fact')
  if (covers.byFiller) add('in filler')
  if (covers.cueHere) add(named(ofMatch, 'is cue'))
  if (covers.factHere !== undefined) {
    add('is fact')
    if (isAll) add(named(ofMatch, 'alone is fact'))
    add(named('is fact', covers.factHere))
    add(named('is fact', shown))
  }
  if (phrases.has(phrase)) add(`phrase ${phrase}`)
}
