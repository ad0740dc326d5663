/** Passes over arrays of rows, against the same loops in JavaScript, bit for bit. topHits has a test of its own. */
import { describe, expect, test } from 'vitest'
import {
  addList,
  addShares,
  divideByNorms,
  fulfil,
  mixLikeness,
  topRows,
  type FulfilRules,
  type LikenessColumns,
  type LikenessWeights,
  type RequestedFact,
} from '#synoptic/native/addon/row-passes.js'
import { seeded } from '../catalogue/shelf.js'

const random = seeded(17)
const counts = [0, 1, 7, 129, 1000]
const each = (sums: Float32Array, of: (value: number, row: number) => number) => {
  for (let row = 0; row < sums.length; row += 1) sums[row] = of(sums[row] ?? 0, row)
}
/** Many are 0, as few rows have anything of a query. */
const values = (count: number, share = 0.5) =>
  Float32Array.from({ length: count }, () => (random() < share ? random() : 0))

test.each(counts)('the weights of a list are added to the sums of %i rows', (count) => {
  for (const onlyAlike of [false, true]) {
    const rows = Uint32Array.from({ length: count }, (_, row) => row).filter(() => random() < 0.4)
    const weights = values(rows.length, 1)
    const sums = values(count)
    const expected = sums.slice()
    rows.forEach((row, at) => {
      const sum = expected[row] ?? 0
      if (!onlyAlike || sum > 0) expected[row] = sum + (weights[at] ?? 0) * 0.3
    })
    addList(sums, { rows, weights }, 0.3, onlyAlike)
    expect(sums).toEqual(expected)
  }
})

test.each(counts)('sums of %i rows are divided by norms', (count) => {
  const norms = Float64Array.from({ length: count }, () => random() * 3)
  const sums = values(count)
  const expected = sums.slice()
  each(expected, (sum, row) => (sum > 0 ? sum / (norms[row] ?? 1) : sum))
  divideByNorms(sums, norms)
  expect(sums).toEqual(expected)
})

test.each(counts)('shares of the likeness of %i rows are added', (count) => {
  const [sums, likeness] = [values(count), values(count)]
  const isMain = Uint8Array.from({ length: count }, () => random() * 2)
  const expected = sums.slice()
  each(expected, (sum, row) => {
    const value = likeness[row] ?? 0
    return value > 0 ? sum + value * (isMain[row] === 1 ? 1 / 3 : 0.7 / 3) : sum
  })
  addShares(sums, likeness, isMain, { share: 1 / 3, otherShare: 0.7 / 3 })
  expect(sums).toEqual(expected)
})

function plainLikeness(
  likeness: Float32Array,
  { years, popularity, franchises, recommended, cosines }: LikenessColumns,
  weights: LikenessWeights,
): void {
  const nearness = (year: number, other: number) =>
    year === 0 || other === 0
      ? 0
      : 1 - Math.min(Math.abs(year - other), weights.eraYears) / weights.eraYears
  each(likeness, (value, row) => {
    const cosine = cosines?.[row] ?? NaN
    const counted = weights.recommendedCount * (recommended[franchises[row] ?? -1] ?? 0)
    const text = Number.isNaN(cosine) ? 0 : weights.textShare * cosine
    const own = (1 - weights.textShare) * value + text
    const alike =
      own * (1 + weights.recommendedShare * counted) + weights.recommendedWeight * counted
    if (alike === 0) return value
    const known = popularity[row] ?? NaN
    return (
      alike +
      weights.eraWeight * nearness(weights.year, years[row] ?? 0) +
      weights.popularityWeight * (Number.isNaN(known) ? 0 : Math.min(known, weights.maxPopularity))
    )
  })
}

describe.each(counts)('the likeness of %i rows', (count) => {
  const floats = (of: () => number) => Float32Array.from({ length: count }, of)
  const columns: LikenessColumns = {
    years: Uint16Array.from({ length: count }, () => (random() < 0.2 ? 0 : 1980 + random() * 40)),
    popularity: floats(() => (random() < 0.2 ? NaN : random() * 8 - 0.5)),
    franchises: Int32Array.from({ length: count }, () => Math.floor(random() * 8) - 1),
    recommended: Float32Array.of(0, 0.3, 1, 0, 0.7),
    cosines: floats(() => (random() < 0.8 ? NaN : random() * 2 - 1)),
  }
  const weights: LikenessWeights = {
    textShare: 0.1,
    recommendedCount: 0.5,
    recommendedShare: 0.25,
    recommendedWeight: 0.05,
    eraWeight: 0.05,
    eraYears: 20,
    popularityWeight: 0.035,
    maxPopularity: 4,
    year: 2004,
  }
  test.each<[string, LikenessColumns, LikenessWeights]>([
    ['with texts', columns, weights],
    ['without texts', { ...columns, cosines: undefined }, weights],
    ['without a year', columns, { ...weights, year: 0 }],
    ['that nobody recommends', { ...columns, recommended: new Float32Array(0) }, weights],
  ])('%s', (_, some, of) => {
    const likeness = values(count)
    const expected = likeness.slice()
    plainLikeness(expected, some, of)
    mixLikeness(likeness, some, of)
    expect(likeness).toEqual(expected)
  })
})

function plainFulfil(
  fulfilled: Float32Array,
  facts: readonly RequestedFact[],
  { fewWholly, subjectFailure, rounding }: FulfilRules,
): void {
  const met = new Float32Array(fulfilled.length)
  const metSubjects = new Float32Array(fulfilled.length)
  for (const { degrees, share, weight, isSubject } of facts) {
    const own = isSubject ? metSubjects : met
    degrees.forEach((degree, row) => {
      if (degree === 0) return
      fulfilled[row] = (fulfilled[row] ?? 0) + share * degree
      own[row] = (own[row] ?? 0) + weight
    })
  }
  const named = facts.filter(({ isSubject }) => isSubject)
  const subjects = named.reduce((sum, { weight }) => sum + weight, 0)
  const others = facts.length - named.length
  const isWhole = (row: number) =>
    fulfilled[row] !== 0 && met[row] === others && (metSubjects[row] ?? 0) > subjects - rounding
  const wholly = [...fulfilled.keys()].filter(isWhole).length
  const subjectWeight = wholly < fewWholly ? subjectFailure : 1
  const all = others + subjectWeight * subjects
  each(fulfilled, (value, row) => {
    const kept = (met[row] ?? 0) + subjectWeight * (metSubjects[row] ?? 0)
    return value !== 0 && kept < all - rounding ? value * Math.sqrt(kept / all) : value
  })
}

test.each(counts)('what %i rows fulfil', (count) => {
  const rules = { fewWholly: 5, subjectFailure: 3, rounding: 1e-3 }
  for (const size of [0, 1, 2, 5]) {
    for (const share of [0.05, 0.9]) {
      const facts = Array.from({ length: size }, (_, fact): RequestedFact => {
        const isSubject = fact % 2 === 1
        const weight = isSubject ? 0.5 + random() * 1.5 : 1
        return { degrees: values(count, share), share: 1 / size, weight, isSubject }
      })
      const fulfilled = new Float32Array(count)
      const expected = new Float32Array(count)
      plainFulfil(expected, facts, rules)
      fulfil(fulfilled, facts, rules)
      expect(fulfilled).toEqual(expected)
    }
  }
})

describe('arrays that do not belong together are refused', () => {
  const rows = new Float32Array(9)
  const fact = { degrees: new Float32Array(8), share: 1, weight: 1, isSubject: false }
  const rules = { fewWholly: 5, subjectFailure: 3, rounding: 1e-3 }
  test.each<[string, () => void]>([
    ['a mask of too few rows', () => topRows(rows, 3, 0, new Uint8Array(1))],
    [
      'more weights than rows',
      () => addList(rows, { rows: new Uint32Array(2), weights: new Float32Array(3) }, 1, false),
    ],
    ['norms of other rows', () => divideByNorms(rows, new Float64Array(8))],
    [
      'the likeness of other rows',
      () => addShares(rows, new Float32Array(8), new Uint8Array(9), { share: 1, otherShare: 1 }),
    ],
    ['degrees of other rows', () => fulfil(rows, [fact], rules)],
    ['another type', () => divideByNorms(rows, rows as unknown as Float64Array)],
  ])('%s', (_, call) => {
    expect(call).toThrow(TypeError)
  })

  test('and so are rows beyond the sums, which are left out', () => {
    const sums = new Float32Array(2)
    addList(sums, { rows: Uint32Array.of(1, 7), weights: Float32Array.of(1, 1) }, 2, false)
    expect([...sums]).toEqual([0, 2])
  })
})
