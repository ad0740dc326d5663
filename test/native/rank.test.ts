/** The core's pass over all rows against the same in JavaScript, bit for bit; and which rows become candidates. */
import { describe, expect, it, test } from 'vitest'
import { openRowFacts } from '#synoptic/data/catalogue/row-facts.js'
import type { FactSource } from '#synoptic/data/catalogue/fact-lists.js'
import { NativeError } from '#synoptic/base/errors/index.js'
import {
  plannedUnits,
  type Choice,
  type DegreeList,
  type FitPlan,
  type PlannedExample,
  type PlannedFact,
  type PlannedRequest,
  type PlannedText,
} from '#synoptic/native/addon/rank-plan.js'
import type { RowIndex } from '#synoptic/native/addon/row-index.js'
import { nothingRead } from '#synoptic/search/knowledge/query-fit.js'
import { topHits } from '#synoptic/data/lexical/top-hits.js'
import { fuseRanks } from '#synoptic/search/ranking/reciprocal-rank.js'
import type { FilterPlan } from '#synoptic/native/addon/filter-plan.js'
import { maskOf, passes, rowsOf as rowsOfMask } from '#synoptic/base/util/row-mask.js'
import { indexOf } from '../catalogue/make-names.js'
import { unknown, work } from '../facts/make-facts.js'
import { createOracle } from './rank-oracle.js'
import { seeded } from '../catalogue/shelf.js'

const random = seeded(23)
const upTo = (most: number) => Math.floor(random() * (most + 1))
const some = <T>(items: readonly T[], share: number) => items.filter(() => random() < share)
const often = () => random() < 0.5
const none = new Uint32Array(0)
const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g']

const anyWork = (): FactSource =>
  random() < 0.1
    ? unknown
    : work({
        type: random() < 0.3 ? 'movie' : 'tv',
        year: 1980 + upTo(40),
        score: often() ? 5 + random() * 5 : null,
        genres: some(['Drama', 'Action', 'Horror'], 0.3),
        tags: Object.fromEntries(some(names, 0.4).map((tag) => [tag, 1 + upTo(2)])),
        episodes: upTo(30),
        minutes: upTo(120),
        volumes: upTo(9),
        chapters: upTo(90),
        audience: often() ? 'seinen' : 'kids',
        authors: some(['Somebody', 'Nobody'], 0.3),
        ...(often() && {
          franchise: names[upTo(6)] ?? 'a',
          relation: often() ? 'main' : 'sequel',
          recommended: some(names, 0.3),
        }),
      })

const counts = [0, 1, 7, 129, 1000]
const catalogues = counts.map((count) => {
  const popularity = Float32Array.from({ length: count }, () =>
    random() < 0.2 ? NaN : random() * 8 - 0.5,
  )
  const postings = ['s', 't', 'u', 'v'].map((stem) => {
    const rows = Uint32Array.from({ length: count }, (_, row) => row).filter(() => often())
    return { stem, rows, impacts: Uint16Array.from(rows, () => 1 + upTo(9)) }
  })
  const passes = indexOf(Array.from({ length: count }, anyWork), { popularity, postings })
  return { count, passes, postings, facts: openRowFacts(passes) }
})
type MadeCatalogue = (typeof catalogues)[number]

const rowsIn = ({ count }: MadeCatalogue, share: number) =>
  Uint32Array.from({ length: count }, (_, row) => row).filter(() => random() < share)

function anyLists(of: MadeCatalogue): readonly DegreeList[] {
  const { first, values } = of.facts.valuesOf('tag')
  const tags = values.map((_, at) => ({ rows: first + at, degree: [0, 0.5, 0.8, 1] as const }))
  return [...some(tags, 0.3), { rows: rowsIn(of, 0.2), degree: random() }]
}

const bounds = () => ({ min: upTo(10), max: often() ? Infinity : 10 + upTo(20) })

function anyFact(of: MadeCatalogue): PlannedFact {
  const year = 1980 + upTo(40)
  const { first, values } = of.facts.valuesOf('type')
  const films = values.indexOf('movie')
  const facts: readonly PlannedFact[] = [
    { kind: 'listed', lists: anyLists(of) },
    { kind: 'years', from: year, to: year, near: [1, 0.4, 0.2, 0.1] },
    { kind: 'years', from: year, to: often() ? year + 9 : Infinity, near: [1, 0.4, 0.2, 0.1] },
    {
      kind: 'length',
      unit: plannedUnits[upTo(4)] ?? 'episodes',
      bounds: bounds(),
      isOfSeries: often(),
      films: films < 0 ? none : first + films,
      filmBounds: often() ? bounds() : undefined,
      sequels: rowsIn(of, 0.1),
      continuedShare: 0.3,
    },
    { kind: 'ramp', column: 'popularity', low: 1, high: 4.6, isInverted: often() },
    { kind: 'ramp', column: 'score', low: 7, high: 8.5, isInverted: false },
    { kind: 'any', lists: anyLists(of), count: 3, bestShare: 0.9, enough: 2 },
    { kind: 'any', lists: anyLists(of).slice(0, 1), count: 1, bestShare: 0.9, enough: 2 },
    { kind: 'all', lists: anyLists(of), count: 4 },
  ]
  return facts[upTo(facts.length - 1)] ?? { kind: 'listed', lists: [] }
}

function anyRequest(of: MadeCatalogue): PlannedRequest {
  const alternatives = () => {
    return {
      facts: Array.from({ length: often() ? 1 + upTo(2) : 1 }, () => anyFact(of)),
      weight: often() ? 1 : 0.7,
      // The last bit of a logarithm may differ.
      countsByRarity: false,
    }
  }
  const group = upTo(2)
  return {
    anyOf: Array.from({ length: 1 + upTo(1) }, alternatives),
    confidence: often() ? 0.9 : 0.5,
    group,
    surestOnly: group === 2,
  }
}

const anyExample = (of: MadeCatalogue): PlannedExample => {
  const row = upTo(of.count - 1)
  const rows = rowsIn(of, 0.2)
  return {
    row,
    year: often() ? 0 : 2000,
    recommendedCount: often() ? 1 : 0.5,
    ignored: some([...of.facts.traits.traitsOf(row)], 0.2),
    cosines: often()
      ? undefined
      : { rows, cosines: Float32Array.from(rows, () => random() * 2 - 1) },
  }
}

const examples = (of: MadeCatalogue, most: number) =>
  Array.from({ length: of.count === 0 ? 0 : upTo(most) }, () => anyExample(of))

function anyPlan(of: MadeCatalogue): FitPlan {
  const { alike, likenessRules } = nothingRead()
  const traitsShare = often() ? 0.5 : 0
  return {
    ...nothingRead(),
    requests: Array.from({ length: upTo(4) }, () => anyRequest(of)),
    exclusions: Array.from({ length: upTo(2) }, () => ({
      fact: anyFact(of),
      confidence: random(),
    })),
    likenessRules: { ...likenessRules, textShare: often() ? 0.1 : 0.5 },
    alike: {
      examples: examples(of, 3),
      traitsShare,
      leastShare: traitsShare === 0 && often() ? 0.4 : 0,
      named: [...rowsIn(of, 0.05)],
      namedValue: traitsShare,
    },
    unlike: { ...alike, examples: examples(of, 1) },
    unwanted: [...rowsIn(of, 0.1)],
    titles: Array.from(rowsIn(of, 0.3), (row) => ({ row, confidence: random() })),
  }
}

const noText: PlannedText = { similar: none, stems: none, depth: 0, rankOffset: 60 }
const all: Choice = { by: 'all', count: 0, hasFit: true, text: noText, more: none }

describe.each(catalogues)('of $count works', (catalogue) => {
  const oracle = createOracle(catalogue.facts, catalogue.postings)
  const anyStems = () => Uint32Array.from(some([0, 1, 2, 3], 0.6))

  test('the features of each are those of the plain loops', async () => {
    for (let round = 0; round < 40; round += 1) {
      const plan = anyPlan(catalogue)
      const text = { ...noText, stems: anyStems() }
      const { rows, features, known } = await catalogue.passes.rank(plan, { ...all, text })
      const expected = oracle.features(plan, text.stems)
      expect(rows).toHaveLength(catalogue.count)
      expect(features).toEqual(expected.features)
      expect(known).toBeCloseTo(expected.known, 12)
    }
  })

  test('those by text are fused from the most similar and the first by bm25 that pass', async () => {
    for (let round = 0; round < 20; round += 1) {
      const [count, depth] = [upTo(Math.min(30, catalogue.count)), upTo(40)]
      const mask = maskOf(catalogue.count, rowsIn(catalogue, 0.7))
      const similar = rowsIn(catalogue, 0.3)
        .filter((row) => passes(mask, row))
        .reverse()
      const text = { similar, stems: anyStems(), depth, rankOffset: 60 }
      const choice: Choice = { ...all, by: 'text', hasFit: false, count, text }
      const { rows } = await catalogue.passes.rank(nothingRead(), choice, { mask })
      const byWords = topHits(oracle.bm25(text.stems), depth, { above: 0, mask })
      const fused = fuseRanks([similar, byWords.map(({ row }) => row)], count)
      expect(rows).toEqual(Uint32Array.from(fused, ({ row }) => row).sort())
    }
  })

  test('a filter lets those pass that meet all its conditions, and facts are counted of these', async () => {
    const { facts, count } = catalogue
    const lists = Array.from({ length: facts.listCount }, (_, list) => list)
    const inOneOf = (row: number, of: readonly number[]) =>
      of.some((list) => facts.rowsOf(list).includes(row))
    for (let round = 0; round < 20; round += 1) {
      const plan: FilterPlan = {
        anyOf: Array.from({ length: upTo(2) }, () => some(lists, 0.5)),
        noneOf: often() ? [] : some(lists, 0.05),
        yearFrom: often() ? undefined : 1980 + upTo(40),
        yearTo: often() ? undefined : 1980 + upTo(40),
        minScore: often() ? undefined : 5 + upTo(5),
        adult: often() ? undefined : often(),
      }
      const { anyOf, noneOf, yearFrom = -Infinity, yearTo = Infinity, minScore } = plan
      const isBound = plan.yearFrom !== undefined || plan.yearTo !== undefined
      const expected = Array.from({ length: count }, (_, row) => row).filter((row) => {
        const year = facts.years[row] ?? 0
        return (
          anyOf.every((of) => inOneOf(row, of)) &&
          !inOneOf(row, noneOf) &&
          (!isBound || (year > 0 && year >= yearFrom && year <= yearTo)) &&
          (minScore === undefined || (facts.scores[row] ?? NaN) >= minScore) &&
          // Only genres and sources say so, and these works have none that do.
          plan.adult !== true
        )
      })
      const mask = catalogue.passes.filter(plan)
      expect(
        mask === undefined ? rowsIn(catalogue, 1) : Uint32Array.from(rowsOfMask(mask)),
      ).toEqual(Uint32Array.from(expected))
      const counts = await catalogue.passes.countFacts({ mask })
      const passing = new Set(expected)
      expect([...counts]).toEqual(
        lists.map((list) => facts.rowsOf(list).filter((row) => passing.has(row)).length),
      )
    }
  })

  test('the likest are the first by likeness that pass, ties by row', async () => {
    if (catalogue.count === 0) return
    const { likenessRules } = nothingRead()
    for (const withCompared of [false, true]) {
      const example = anyExample(catalogue)
      const passing = rowsIn(catalogue, 0.7)
      const count = Math.min(20, catalogue.count)
      const likest = await catalogue.passes.findLikest(
        { likenessRules, example, count, withCompared },
        { mask: maskOf(catalogue.count, passing) },
      )
      const likeness = oracle.likenessTo(likenessRules, example)
      const compared = new Set(withCompared ? example.cosines?.rows : [])
      const expected = [...passing]
        .filter((row) =>
          withCompared ? likeness[row] !== 0 || compared.has(row) : (likeness[row] ?? 0) > 0,
        )
        .sort((one, other) => (likeness[other] ?? 0) - (likeness[one] ?? 0) || one - other)
        .slice(0, count)
      expect([...likest.rows]).toEqual(expected)
      expect(likest.likeness).toEqual(Float32Array.from(expected, (row) => likeness[row] ?? 0))
    }
  })

  test('a taste is the mean of likenesses to the power of 3/2, less what is disliked', async () => {
    if (catalogue.count === 0) return
    const { likenessRules } = nothingRead()
    const works = () =>
      Array.from({ length: 5 }, () => ({ example: anyExample(catalogue), weight: random() }))
    const [liked, disliked] = [works(), works()]
    const mean = (some: typeof liked, row: number) => {
      const total = some.reduce((sum, { weight }) => sum + weight, 0)
      const powers = some.map(({ example, weight }) => {
        const value = Math.max(0, oracle.likenessTo(likenessRules, example)[row] ?? 0)
        return weight * value ** 1.5
      })
      return (powers.reduce((sum, power) => sum + power, 0) / total) ** (2 / 3)
    }
    const plan = { likenessRules, liked, disliked, dislikedShare: 0.5 }
    const taste = await catalogue.passes.taste(plan)
    const rows = [...rowsIn(catalogue, 10 / catalogue.count)]
    const most = Math.max(...taste)
    const scores = rows.map((row) => mean(liked, row) - 0.5 * mean(disliked, row))
    expect(most === 1 || most <= 0).toBe(true)
    for (const [at, row] of rows.entries()) {
      const [first = 0, other = 0] = [scores[0], scores[at]]
      expect((taste[row] ?? 0) * first).toBeCloseTo((taste[rows[0] ?? 0] ?? 0) * other, 5)
    }
    expect(await catalogue.passes.taste(plan)).toEqual(taste)
  })
})

test('a subject counts by the logarithm of how many works have it', async () => {
  const [, , , , large] = catalogues
  if (large === undefined) return
  const oracle = createOracle(large.facts, [])
  const { first, values } = large.facts.valuesOf('tag')
  const subject = (tag: number): PlannedRequest => ({
    anyOf: [
      {
        facts: [
          { kind: 'any', lists: [{ rows: tag, degree: 1 }], count: 1, bestShare: 1, enough: 2 },
        ],
        weight: 1,
        countsByRarity: true,
      },
    ],
    confidence: 1,
    group: 0,
    surestOnly: false,
  })
  for (const [at] of values.entries()) {
    const plan = { ...nothingRead(), requests: [subject(first + at), subject(first)] }
    const { features } = await large.passes.rank(plan, all)
    // The last bit of a logarithm may differ.
    const expected = oracle.features(plan, none).features
    features.forEach((value, position) => expect(value).toBeCloseTo(expected[position] ?? NaN, 6))
  }
})

/** Eight works; a plan says how they fit. */
const eight = indexOf(Array.from({ length: 8 }, () => unknown))
type Scores = readonly number[]
const rated = (scores: Scores): PlannedFact => ({
  kind: 'listed',
  lists: scores.map((degree, row) => ({ rows: Uint32Array.of(row), degree })),
})

function planWith(
  {
    titles = [],
    requested,
    excluded,
    alike,
  }: Partial<Record<'titles' | 'requested' | 'excluded' | 'alike', Scores>>,
  changes: Partial<FitPlan> = {},
): FitPlan {
  const plan = nothingRead()
  const cosines = { rows: Uint32Array.from({ length: 8 }, (_, row) => row) }
  const example = { row: 0, year: 0, recommendedCount: 0, ignored: [] }
  const request = (scores: Scores): PlannedRequest => ({
    anyOf: [{ facts: [rated(scores)], weight: 1, countsByRarity: false }],
    confidence: 1,
    group: 0,
    surestOnly: false,
  })
  return {
    ...plan,
    titles: titles.map((confidence, row) => ({ row, confidence })),
    requests: requested ? [request(requested)] : [],
    exclusions: excluded ? [{ fact: rated(excluded), confidence: 1 }] : [],
    likenessRules: { ...plan.likenessRules, textShare: 1 },
    alike: {
      ...plan.alike,
      examples: alike
        ? [{ ...example, cosines: { ...cosines, cosines: Float32Array.from(alike) } }]
        : [],
    },
    hasText: false,
    ...changes,
  }
}

/** Half of so many candidates come from the fit alone. */
async function rowsOf(plan: FitPlan, count: number, choice: Partial<Choice> = {}, passes = eight) {
  const { rows } = await passes.rank(plan, { ...all, by: 'text', count, ...choice })
  return [...rows]
}

describe('candidates', () => {
  const plan = planWith({
    titles: [0, 0.9],
    requested: [0, 0.5, 1, 0.2],
    alike: [0, 0, 0.2, 0, 0.05, 0.5, 0.3],
  })

  it('are rows of each kind, each once, at most half of them by what is read', async () => {
    expect(await rowsOf(plan, 8)).toEqual([1, 2, 5, 6])
    expect(await rowsOf(plan, 6)).toEqual([1, 2, 5])
    expect(await rowsOf(plan, 2)).toEqual([1])
    expect(await rowsOf(plan, 0)).toEqual([])
  })

  it('are no rows that the mask leaves out', async () => {
    const mask = Uint8Array.of(0b1101_1111)
    const ranked = await eight.rank(plan, { ...all, by: 'text', count: 6 }, { mask })
    expect([...ranked.rows]).toEqual([1, 2, 6])
  })

  it('are the rows by text, too, as many as there is room for, and others in any case', async () => {
    const text = { ...noText, similar: Uint32Array.of(7, 3, 0) }
    expect(await rowsOf(plan, 4, { text })).toEqual([1, 2, 3, 7])
    expect(await rowsOf(plan, 4, { text, more: Uint32Array.of(4, 7) })).toEqual([1, 2, 3, 4, 7])
    expect(await rowsOf(plan, 2, { text, hasFit: false })).toEqual([3, 7])
  })

  it('are works like a named one that have what is requested, before those that are most of one', async () => {
    const values = { requested: [0, 1, 0.8], alike: [0, 0, 0.4, 0.7] }
    const both = planWith(values, { hasReferences: true })
    expect(await rowsOf(both, 2)).toEqual([2])
    expect(await rowsOf(both, 8)).toEqual([2, 3])
    expect(await rowsOf({ ...both, hasReferences: false }, 8)).toEqual([1, 2, 3])
    expect(await rowsOf({ ...both, requests: [] }, 2)).toEqual([3])
  })

  it('are works like a named one alone where there are so many', async () => {
    const named = planWith({ alike: [0, 0, 0.4, 0.7] }, { hasReferences: true })
    expect(await rowsOf(named, 2, { by: 'likeness' })).toEqual([2, 3])
    const few = await eight.rank(named, { ...all, by: 'likeness', count: 3 })
    expect(few).toMatchObject({ areChosen: false, rows: none })
  })

  const requested = [1, 1, 1, 0.9]

  it('are the best known of works that fit alike', async () => {
    const popularity = Float32Array.of(0, 3, NaN, 3, 8, 0, 0, 0)
    const works = Array.from({ length: 8 }, () => unknown)
    const known = indexOf(works, { popularity })
    expect(await rowsOf(planWith({ requested }), 4, {}, known)).toEqual([1, 3])
  })

  it('are works without what is excluded first', async () => {
    expect(await rowsOf(planWith({ requested, excluded: [0, 1] }), 4)).toEqual([0, 2])
  })

  it('are any well-known works where all that is said is what they must not be', async () => {
    const popularity = Float32Array.of(1, 2, 3, NaN, 0, 0, 0, 0)
    const known = indexOf(
      Array.from({ length: 8 }, () => unknown),
      { popularity },
    )
    const excluded = [0, 0, 1]
    expect(await rowsOf(planWith({ excluded }), 8, {}, known)).toEqual([0, 1])
    // Where no work has it, too.
    expect(await rowsOf(planWith({ excluded: [] }), 8, {}, known)).toEqual([0, 1, 2])
    // A text, or a work that is named, says more.
    const plan = planWith({ excluded })
    expect(await rowsOf({ ...plan, hasText: true }, 8, {}, known)).toEqual([])
    expect(await rowsOf({ ...plan, hasReferences: true }, 8, {}, known)).toEqual([])
  })

  it('are light novels by their titles alone', async () => {
    const titles = planWith({ titles: [0.98, 0.9, 0.99, 0, 0, 0, 0, 1] })
    const [mask, namedMask] = [Uint8Array.of(0b0000_0110), Uint8Array.of(0b0111_1111)]
    const choice: Choice = { ...all, by: 'text', count: 4 }
    const ranked = await eight.rank(titles, choice, { mask, namedMask })
    expect([...ranked.named]).toEqual([0])
    expect([...ranked.rows]).toEqual([0, 1, 2])
    const plain = await eight.rank(titles, choice, { mask, namedMask: mask })
    expect([...plain.rows]).toEqual([1, 2])
  })

  it('are none where nothing fits', async () => {
    expect(await rowsOf(planWith({}, { hasText: true }), 8)).toEqual([])
  })
})

describe('what is no plan is refused', () => {
  const plan = nothingRead()
  const title = { confidence: 1 }
  const likest = {
    likenessRules: plan.likenessRules,
    example: { row: 8, year: 0, recommendedCount: 1, ignored: [], cosines: undefined },
    count: 1,
    withCompared: false,
  }
  const mask = new Uint8Array(2)
  test.each<[string, (index: RowIndex) => Promise<unknown>]>([
    ['a row beyond the last', (index) => index.rank({ ...plan, unwanted: [8] }, all)],
    ['half a row', (index) => index.rank({ ...plan, unwanted: [0.5] }, all)],
    ['no number', (index) => index.rank({ ...plan, titles: [{ row: NaN, ...title }] }, all)],
    ['more candidates than rows', (index) => index.rank(plan, { ...all, count: 9 })],
    [
      'rows by text that are not there',
      (index) => index.rank(plan, { ...all, text: { ...noText, similar: Uint32Array.of(9) } }),
    ],
    [
      'a stem that is not there',
      (index) => index.rank(plan, { ...all, text: { ...noText, stems: Uint32Array.of(9) } }),
    ],
    [
      'a rank below 0',
      (index) => index.rank(plan, { ...all, text: { ...noText, rankOffset: -1 } }),
    ],
    ['no rank', (index) => index.rank(plan, { ...all, text: { ...noText, rankOffset: NaN } })],
    ['an example that is not there', (index) => index.findLikest(likest)],
    ['a mask of other rows to count', (index) => index.countFacts({ mask })],
    [
      'half a list',
      (index) => Promise.resolve().then(() => index.filter({ anyOf: [[0.5]], noneOf: [] })),
    ],
    ['a mask of other rows', (index) => index.rank(plan, all, { mask })],
    ['another mask of other rows', (index) => index.rank(plan, all, { namedMask: mask })],
  ])('%s', async (_, call) => {
    await expect(call(eight)).rejects.toThrow(NativeError)
  })

  test('an aborted signal rejects with its reason', async () => {
    const reason = new Error('left')
    await expect(eight.rank(plan, all, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    const controller = new AbortController()
    const ranked = eight.rank(plan, all, { signal: controller.signal })
    controller.abort(reason)
    // It may have been done already.
    await ranked.catch((error: unknown) => expect(error).toBe(reason))
  })

  test('a closed index', async () => {
    const index = indexOf([unknown])
    index.close()
    await expect(index.rank(plan, all)).rejects.toMatchObject({ code: 'ECLOSED' })
  })
})
