/** How well works fit what is read from a query. */
import { describe, expect, it } from 'vitest'
import { franchiseRows } from '#synoptic/search/knowledge/franchise-rows.js'
import type { Reading } from '#synoptic/search/reader/interpretation.js'
import { unknown, work } from '../facts/make-facts.js'
import { fitOfAll, rankedCatalogue } from '../facts/ranked.js'

const mechs = { mecha: 3 }

const catalogue = rankedCatalogue([
  work({
    tags: mechs,
    franchise: 'a',
    relation: 'main',
    studios: ['Sunrise'],
    authors: ['Tomino'],
  }),
  work({ tags: mechs, franchise: 'a', relation: 'sequel' }),
  work({ tags: mechs, franchise: 'b', relation: 'main', studios: ['Bones'] }),
  work({ tags: mechs, franchise: 'b', relation: 'sequel', studios: ['Sunrise'] }),
  work({ tags: { cooking: 3 }, authors: ['Tomino'] }),
  unknown,
])
const { facts } = catalogue
const span = { begin: 0, end: 4, label: '', confidence: 0.9, excluded: false }
const rowsReading = (kind: 'title' | 'like' | 'makers', ...rows: number[]): Reading => ({
  ...span,
  kind,
  rows,
})
const fit = (readings: readonly Reading[], text = '', isCross = false) =>
  fitOfAll(catalogue, { readings, text, explained: 0.5, isCross })
const zeros = [0, 0, 0, 0, 0, 0]

describe('franchiseRows', () => {
  it('adds the other rows of the franchises', () => {
    expect(franchiseRows(facts, [1]).toSorted()).toEqual([0, 1])
    expect(franchiseRows(facts, [1, 2]).toSorted()).toEqual([0, 1, 2, 3])
  })

  it('adds none to a row without a franchise, though others have none either', () => {
    expect(franchiseRows(facts, [4])).toEqual([4])
    expect(franchiseRows(facts, [])).toEqual([])
  })
})

describe('a title', () => {
  it('fits its rows by its confidence, and no other row', async () => {
    const near = { ...rowsReading('title', 0, 2), confidence: 0.85 }
    const { titleScores, likenessScores, exclusionScores, hasReferences } = await fit([near])
    expect([...titleScores]).toEqual([0.85, 0, 0.85, 0, 0, 0].map(Math.fround))
    expect([...likenessScores]).toEqual(zeros)
    expect([...exclusionScores]).toEqual(zeros)
    expect(hasReferences).toBe(false)
  })

  it('that is surely named brings its franchise, then works that are like it', async () => {
    const sure = { ...rowsReading('title', 0), confidence: 1 }
    const { titleScores, likenessScores } = await fit([sure], 'words')
    expect(titleScores[0]).toBe(1)
    expect(titleScores[1]).toBeGreaterThan(0.5)
    expect(titleScores[1]).toBeLessThan(1)
    expect([...titleScores.slice(2)]).toEqual([0, 0, 0, 0])
    expect(likenessScores[2]).toBeGreaterThan(0)
    expect(likenessScores[0]).toBeGreaterThan(likenessScores[2] ?? NaN)
  })

  it('whose part is all that is typed brings its franchise, too', async () => {
    const part = { ...rowsReading('title', 0), confidence: 0.86 }
    const subject: Reading = { ...span, kind: 'topic', genres: [], tags: ['mecha'] }
    const alone = await fit([part], 'word')
    expect(alone.titleScores[1]).toBeGreaterThan(0.5)
    expect(alone.likenessScores[2]).toBeGreaterThan(0)
    const combined = await fit([part, subject], 'word mecha')
    expect([...combined.titleScores.slice(1)]).toEqual([0, 0, 0, 0, 0])
  })
})

describe('a work that is excluded', () => {
  it('breaks with its franchise, and is no title', async () => {
    const unwanted = { ...rowsReading('title', 2), confidence: 1, excluded: true }
    const { titleScores, likenessScores, exclusionScores, hasReferences } = await fit([unwanted])
    expect([...exclusionScores]).toEqual([0, 0, 1, 1, 0, 0])
    expect([...titleScores, ...likenessScores]).toEqual([...zeros, ...zeros])
    expect(hasReferences).toBe(false)
  })

  it('takes nothing from a title that is wanted', async () => {
    const unwanted = { ...rowsReading('title', 2), excluded: true }
    const { titleScores, exclusionScores } = await fit([rowsReading('title', 0), unwanted])
    expect(titleScores[0]).toBeCloseTo(0.9)
    expect([...exclusionScores]).toEqual([0, 0, 1, 1, 0, 0])
  })
})

describe('a work that is named as an example', async () => {
  const { likenessScores, exclusionScores, titleScores, hasReferences } = await fit([
    rowsReading('like', 0),
  ])

  it('breaks with its franchise and no other work', () => {
    expect([...exclusionScores]).toEqual([1, 1, 0, 0, 0, 0])
    expect([...titleScores]).toEqual(zeros)
    expect(hasReferences).toBe(true)
  })

  it('has similar works, but not itself; the main work of its franchise comes first', () => {
    expect(likenessScores[0]).toBe(0)
    expect(likenessScores[2]).toBeGreaterThan(0.5)
    expect(likenessScores[3]).toBeCloseTo(0.8 * (likenessScores[2] ?? NaN), 5)
    expect([likenessScores[4], likenessScores[5]]).toEqual([0, 0])
  })

  it('shares with another that is named; of a cross the less alike of both counts more', async () => {
    const both = await fit([rowsReading('like', 0), rowsReading('like', 4)])
    const cross = await fit([rowsReading('like', 0), rowsReading('like', 4)], undefined, true)
    const [, , mech = NaN] = (await fit([rowsReading('like', 4)])).likenessScores
    const mean = ((likenessScores[2] ?? NaN) + mech) / 2
    const least = Math.min(likenessScores[2] ?? NaN, mech)
    expect(least).toBeLessThan(mean)
    expect(both.likenessScores[2]).toBeCloseTo(mean, 5)
    expect(cross.likenessScores[2]).toBeCloseTo(0.6 * mean + 0.4 * least, 5)
    expect([both.likenessScores[4], cross.likenessScores[4]]).toEqual([0, 0])
  })
})

describe('a work that is named, and what is requested instead', () => {
  const works = rankedCatalogue([
    work({ tags: { isekai: 3, funny: 3 }, genres: ['Comedy'] }),
    work({ tags: { office: 3, funny: 3 }, genres: ['Comedy'] }),
    work({ tags: { isekai: 3, dark: 3 } }),
  ])
  const topic = (tag: string, excluded: boolean): Reading => ({
    ...span,
    kind: 'topic',
    genres: [],
    tags: [tag],
    excluded,
  })
  const similar = async (...readings: Reading[]) => {
    const like = rowsReading('like', 0)
    return (await fitOfAll(works, { readings: [like, ...readings] })).likenessScores
  }

  it('is another feeling: it adds to what the work is like', async () => {
    expect(await similar(topic('dark', false))).toEqual(await similar())
  })

  it('is what is excluded: it no longer counts either', async () => {
    expect((await similar(topic('isekai', true)))[2]).toBe(0)
  })

  it('is another subject: both count', async () => {
    expect((await similar(topic('office', false)))[1]).toBe((await similar())[1])
  })
})

describe('a request that no work fulfils', () => {
  it('explains nothing of the query', async () => {
    const request = (tag: string): Reading => ({ ...span, kind: 'topic', genres: [], tags: [tag] })
    expect((await fit([request('mecha')])).explained).toBe(0.5)
    expect((await fit([request('sailing')])).explained).toBe(0)
    expect((await fit([request('mecha'), request('sailing')])).explained).toBe(0.25)
  })
})

describe('the makers of a work', () => {
  it('are its studios and its people', async () => {
    const { requestScores, hasReferences } = await fit([rowsReading('makers', 0)])
    expect(requestScores[0]).toBeGreaterThan(0)
    expect(requestScores[3]).toBeGreaterThan(0)
    expect(requestScores[4]).toBeGreaterThan(0)
    expect([requestScores[1], requestScores[2], requestScores[5]]).toEqual([0, 0, 0])
    expect(hasReferences).toBe(false)
  })

  it('are examples for other works: the work itself and its franchise go behind', async () => {
    expect([...(await fit([rowsReading('makers', 0)])).exclusionScores]).toEqual([1, 1, 0, 0, 0, 0])
  })

  it('request nothing where nobody knows them', async () => {
    expect([...(await fit([rowsReading('makers', 5)])).requestScores]).toEqual(zeros)
  })
})

describe('no reading', () => {
  it.each(['', 'giant robots'])('fits nothing, and %j is compared with texts', async (text) => {
    const { titleScores, requestScores, exclusionScores, likenessScores, hasText, explained } =
      await fit([], text)
    for (const values of [titleScores, requestScores, exclusionScores, likenessScores])
      expect([...values]).toEqual(zeros)
    expect([hasText, explained]).toEqual([true, 0.5])
  })
})

describe('works for children', () => {
  const rated = rankedCatalogue([
    work({ tags: { gore: 3 } }),
    work({ tags: { cooking: 3 } }),
    work({ genres: ['Horror'] }),
    work({ tags: { scary: 3 } }),
  ])
  const fitOfRated = async (...readings: Reading[]) =>
    (await fitOfAll(rated, { readings })).exclusionScores
  const kids: Reading = { ...span, kind: 'audience', value: 'kids' }

  it('have none of what nobody wants for them', async () => {
    const [gore = 0, cooking, horror = 0, scary = 0] = await fitOfRated(kids)
    expect(Math.min(gore, horror, scary)).toBeGreaterThan(0.5)
    expect(cooking).toBe(0)
  })

  it('have what is requested for them', async () => {
    const exclusionScores = await fitOfRated(kids, {
      ...span,
      kind: 'topic',
      genres: [],
      tags: ['scary'],
    })
    expect(exclusionScores[3]).toBe(0)
    expect(exclusionScores[0]).toBeGreaterThan(0.5)
  })

  it('are no others', async () => {
    expect([...(await fitOfRated({ ...kids, value: 'seinen' }))]).toEqual([0, 0, 0, 0])
    expect([...(await fitOfRated({ ...kids, excluded: true }))]).toEqual([0, 0, 0, 0])
  })
})
