/** How well works fulfil what a query says, and how alike they are. */
import { describe, expect, it } from 'vitest'
import { exampleOf, likenessRules } from '#synoptic/search/knowledge/likeness.js'
import type { Fact, Interpretation } from '#synoptic/search/reader/interpretation.js'
import { factsOf, unknown, work } from './make-facts.js'
import {
  degreesOf,
  fitOfAll,
  likenessOfAll,
  rankedCatalogue,
  reading,
  type RankedCatalogue,
} from './ranked.js'

const catalogue = rankedCatalogue([
  work({
    type: 'tv',
    year: 1998,
    episodes: 26,
    minutes: 24,
    genres: ['Sci-Fi'],
    studios: ['Sunrise'],
    tags: { bounty: 3, jazz: 2 },
  }),
  work({
    type: 'movie',
    year: 2001,
    episodes: 1,
    minutes: 115,
    genres: ['Sci-Fi', 'Action'],
    tags: { bounty: 2 },
    franchise: 'a',
    relation: 'movie',
  }),
  work({
    type: 'tv',
    year: 2016,
    episodes: 12,
    genres: ['Romance'],
    authors: ['Naoko Yamada'],
    magazines: ['Ultra Jump', 'Afternoon'],
    franchise: 'a',
    relation: 'main',
  }),
  unknown,
])
const { facts } = catalogue
const matchReadings = async (
  of: RankedCatalogue,
  interpretation: Pick<Interpretation, 'readings'>,
) => {
  const fit = await fitOfAll(of, interpretation)
  return { ...fit, known: fit.explained }
}
const topic = (genres: string[], tags: string[]): Fact => ({ kind: 'topic', genres, tags })
const together = (...tags: string[]): Fact => ({ kind: 'topic', genres: [], tags, together: true })

describe('what nothing continues', () => {
  const series = rankedCatalogue([
    work({ type: 'tv', episodes: 12, franchise: 'a', relation: 'main' }),
    work({ type: 'tv', episodes: 12, franchise: 'a', relation: 'sequel' }),
    work({ type: 'tv', episodes: 12, franchise: 'b', relation: 'main' }),
    work({ type: 'ova', episodes: 2, franchise: 'b', relation: 'special' }),
    work({ type: 'tv', episodes: 12 }),
    work({ type: 'tv', episodes: 40 }),
  ])

  it('has no sequel in its franchise', async () => {
    const season: Fact = { kind: 'length', unit: 'episodes', max: 26, isWhole: true }
    expect(await degreesOf(series, season)).toEqual([0.3, 0.3, 1, 1, 1, 0])
  })
})

describe('degreesOf', () => {
  it.each<[string, Fact, number[]]>([
    ['a type', { kind: 'type', values: ['tv'] }, [1, 0, 1, 0]],
    ['a year, and those near it', { kind: 'years', from: 1999, to: 1999 }, [0.4, 0.2, 0, 0]],
    ['years between two that are told', { kind: 'years', from: 1999, to: 2001 }, [0, 1, 0, 0]],
    ['years before one', { kind: 'years', to: 2000 }, [1, 0, 0, 0]],
    ['years without an end', { kind: 'years', from: 2016 }, [0, 0, 1, 0]],
    ['episodes, which a film has not', { kind: 'length', unit: 'episodes', max: 13 }, [0, 0, 1, 0]],
    [
      'episodes, and what they mean of a film',
      { kind: 'length', unit: 'episodes', max: 13, ofFilms: { max: 120 } },
      [0, 1, 1, 0],
    ],
    [
      'episodes, and what they mean of a shorter film',
      { kind: 'length', unit: 'episodes', max: 13, ofFilms: { max: 65 } },
      [0, 0, 1, 0],
    ],
    [
      'a length of what nothing continues',
      { kind: 'length', unit: 'episodes', max: 26, isWhole: true },
      [1, 0, 1, 0],
    ],
    [
      'a length in volumes, which nobody tells',
      { kind: 'length', unit: 'volumes', max: 5 },
      [0, 0, 0, 0],
    ],
    [
      'chapters, which an anime has not',
      { kind: 'length', unit: 'chapters', max: 5 },
      [0, 0, 0, 0],
    ],
    ['minutes of a film', { kind: 'length', unit: 'minutes', max: 120 }, [0, 1, 0, 0]],
    ['minutes of all episodes', { kind: 'length', unit: 'minutes', min: 300 }, [1, 0, 0, 0]],
    ['minutes of an episode', { kind: 'length', unit: 'episodeMinutes', max: 30 }, [1, 0, 0, 0]],
    [
      'minutes of each of several episodes, which a film has not',
      { kind: 'length', unit: 'episodeMinutes', min: 20, isOfSeries: true },
      [1, 0, 0, 0],
    ],
    ['a studio in any case', { kind: 'studio', value: 'SUNRISE' }, [1, 0, 0, 0]],
    ['a person', { kind: 'person', value: 'Naoko Yamada' }, [0, 0, 1, 0]],
    ['a magazine', { kind: 'magazine', value: 'afternoon' }, [0, 0, 1, 0]],
    [
      'a magazine of the same short name as what is meant',
      { kind: 'magazine', value: 'Weekly Jump', alternatives: ['Ultra Jump'] },
      [0, 0, 1, 0],
    ],
    ['a genre', topic(['romance'], []), [0, 0, 0.85, 0]],
    ['a tag by its weight', topic([], ['bounty']), [1, 0.8, 0, 0]],
    ['one of a genre and a tag', topic(['Action'], ['jazz']), [0.76, 0.81, 0, 0]],
    ['both of two tags', topic([], ['bounty', 'jazz']), [0.99, 0.76, 0, 0]],
    ['a tag that is a part of a subject', topic([], ['bounty', 'flute']), [0.95, 0.76, 0, 0]],
    ['values that no work has', { kind: 'source', value: 'opera' }, [0, 0, 0, 0]],
    ['two tags together', together('bounty', 'jazz'), [0.9, 0.28, 0, 0]],
  ])('%s', async (_, fact, expected) => {
    expect(await degreesOf(catalogue, fact)).toEqual(expected)
  })
})

it('a length in chapters is met or not', async () => {
  const books = rankedCatalogue([40, 110].map((chapters) => work({ chapters })))
  const length: Fact = { kind: 'length', unit: 'chapters', max: 100 }
  expect(await degreesOf(books, length)).toEqual([1, 0])
})

describe('fame', () => {
  const works = [work({ score: 9 }), work({ score: 8 }), work({ score: 6 }), unknown]
  const popularity = Float32Array.of(4.6, 1, 0.2, NaN)
  const fame = (value: 'popular' | 'obscure' | 'acclaimed', scored: boolean) => {
    const rated = scored ? works : works.map((one) => ({ ...one, score: null }))
    return degreesOf(rankedCatalogue(rated, popularity), { kind: 'fame', value })
  }

  it('of works that few know is that of an average work: such queries want none of the worst', async () => {
    expect(await fame('obscure', true)).toEqual([0, 1, 1, 0])
  })

  it('follows scores, and popularity where there are no scores', async () => {
    expect(await fame('acclaimed', true)).toEqual([1, 0.67, 0, 0])
    const popular = await fame('popular', false)
    expect(await fame('acclaimed', false)).toEqual(popular)
    expect(popular[0]).toBe(1)
  })
})

describe('matchReadings', () => {
  it('a work that fails one request has less than the mean', async () => {
    const requests = [reading({ kind: 'type', values: ['tv'] }), reading(topic(['Romance'], []))]
    const { requestScores, requests: rated } = await matchReadings(catalogue, {
      readings: requests,
    })
    expect(rated.map(({ degrees }) => degrees.length)).toEqual([4, 4])
    expect(requestScores[2]).toBeCloseTo((1 + 0.7 * 0.85) / 1.7)
    expect(requestScores[0]).toBeLessThan(0.5)
    expect(requestScores[3]).toBe(0)
  })

  const subject = (...tags: string[]) =>
    reading({ kind: 'topic', genres: [], tags, isSubject: true })
  const requestsForFilms = [reading({ kind: 'type', values: ['movie'] }), subject('mecha')]
  const mecha = work({ type: 'tv', tags: { mecha: 3 } })
  const film = work({ type: 'movie' })
  const both = work({ type: 'movie', tags: { mecha: 3 } })

  it('a reading without confidence is not a request', async () => {
    const doubted = { ...reading({ kind: 'type', values: ['tv'] }), confidence: 0 }
    const alone = await matchReadings(catalogue, { readings: [doubted] })
    expect([...alone.requestScores]).toEqual([0, 0, 0, 0])
    expect(alone).toMatchObject({ known: 1, requests: [] })
    const request = reading(topic(['Romance'], []))
    const withDoubted = await matchReadings(catalogue, { readings: [doubted, request] })
    const { requestScores } = await matchReadings(catalogue, { readings: [request] })
    expect(withDoubted.requestScores).toEqual(requestScores)
  })

  it('the subject counts more than the form where few works have both', async () => {
    const few = rankedCatalogue([mecha, film, both, ...Array.from({ length: 57 }, () => unknown)])
    const { requestScores } = await matchReadings(few, { readings: requestsForFilms })
    const [byMecha = 0, byFilm = 0, whole] = requestScores
    expect(byMecha).toBeGreaterThan(byFilm)
    expect(whole).toBe(1)
  })

  it('as much as the form where works that have both fill the first answers', async () => {
    const others = Array.from({ length: 113 }, () => unknown)
    const many = rankedCatalogue([mecha, film, both, both, both, both, both, ...others])
    const { requestScores } = await matchReadings(many, { readings: requestsForFilms })
    expect(requestScores[0]).toBeCloseTo(0.5 * Math.SQRT1_2)
    expect(requestScores[1]).toBeCloseTo(0.5 * Math.SQRT1_2)
  })

  const works = (count: number, tags: Record<string, number>) =>
    Array.from({ length: count }, () => work({ tags }))

  it('a subject counts more than a style: `peaceful post apocalypse`', async () => {
    const requests = [subject('apocalypse'), reading(topic([], ['peaceful']))]
    const of = rankedCatalogue([
      ...works(2, { apocalypse: 3 }),
      ...works(2, { peaceful: 3 }),
      ...works(36, {}),
    ])
    const { requestScores } = await matchReadings(of, { readings: requests })
    expect(requestScores[0]).toBeGreaterThan(requestScores[2] ?? 1)
  })

  it('a rare subject counts more than a common one: `school yuri`', async () => {
    const requests = [subject('school'), subject('yuri')]
    const of = rankedCatalogue([
      ...works(1, { yuri: 3 }),
      ...works(20, { school: 3 }),
      ...works(19, {}),
    ])
    const { requestScores } = await matchReadings(of, { readings: requests })
    expect(requestScores[0]).toBeGreaterThan(2 * (requestScores[1] ?? 1))
    const same = rankedCatalogue([
      ...works(5, { yuri: 3 }),
      ...works(5, { school: 3 }),
      ...works(30, {}),
    ])
    const { requestScores: alike } = await matchReadings(same, { readings: requests })
    expect(alike[0]).toBeCloseTo(alike[5] ?? 0)
  })

  it('who made it counts more than a subject: `dark psychological by Naoki Urasawa`', async () => {
    const requests = [
      reading(topic([], ['dark'])),
      reading(topic([], ['psychological'])),
      reading({ kind: 'person', value: 'Naoki Urasawa' }),
    ]
    const dark = work({ tags: { dark: 3, psychological: 3 } })
    const byPerson = work({ authors: ['Naoki Urasawa'], tags: { dark: 1 } })
    const all = work({ authors: ['Naoki Urasawa'], tags: { dark: 3, psychological: 3 } })
    const { requestScores } = await matchReadings(rankedCatalogue([dark, byPerson, all]), {
      readings: requests,
    })
    expect(requestScores[1]).toBeGreaterThan(requestScores[0] ?? 1)
    expect(requestScores[2]).toBe(1)
  })

  it('a request that no work has anything of is not missed', async () => {
    const requests = [...requestsForFilms, reading({ kind: 'studio', value: 'Nobody' })]
    const { requestScores, known } = await matchReadings(rankedCatalogue([mecha, both]), {
      readings: requests,
    })
    expect(requestScores[1]).toBe(1)
    expect(known).toBeLessThan(0.7)
    expect(known).toBeGreaterThan(0.3)
  })

  const years = (from: number, to: number) => reading({ kind: 'years', from, to })

  it('of two that no work can have both, either fulfils the request wholly', async () => {
    const requests = [
      years(1990, 1999),
      years(2000, 2009),
      reading({ kind: 'type', values: ['tv'] }),
    ]
    const {
      requestScores,
      known,
      requests: rated,
    } = await matchReadings(catalogue, { readings: requests })
    expect(requestScores[0]).toBe(1)
    expect(requestScores[1]).toBeCloseTo(0.5 * Math.SQRT1_2)
    expect(known).toBe(1)
    expect(rated).toHaveLength(3)
  })

  it('of alternatives one fulfils the request', async () => {
    const works = rankedCatalogue([
      work({ tags: { boxing: 3 } }),
      work({ tags: { yakuza: 3 } }),
      work({ tags: { boxing: 3, yakuza: 3 } }),
      unknown,
    ])
    const rated = [subject('boxing'), subject('yakuza')]
    const either = rated.map((request, at) => ({ ...request, label: `${at}`, either: 0 }))
    const { requestScores, known, requests } = await matchReadings(works, { readings: either })
    expect([...requestScores]).toEqual([1, 1, 1, 0])
    expect(known).toBe(1)
    expect(requests.map(({ label }) => label)).toEqual(['0 or 1'])
    const { requestScores: both } = await matchReadings(works, { readings: rated })
    expect(both[0]).toBeLessThan(0.5)
    expect(both[2]).toBe(1)
  })

  it('of years in words and in numbers, those in numbers count', async () => {
    const old = { ...reading({ kind: 'years', to: 2001 }), confidence: 0.7 }
    const { requestScores } = await matchReadings(catalogue, { readings: [old, years(1990, 1999)] })
    expect([...requestScores]).toEqual([1, 0, 0, 0])
  })

  it('makers that the same words name are one request, which one of them meets', async () => {
    const makers = [
      reading({ kind: 'studio', value: 'Sunrise' }),
      reading({ kind: 'person', value: 'Naoko Yamada' }),
    ]
    const { requestScores, requests: rated } = await matchReadings(catalogue, { readings: makers })
    expect(rated).toHaveLength(1)
    expect(requestScores[0]).toBe(1)
    expect(requestScores[2]).toBe(1)
    expect(requestScores[1]).toBe(0)
  })

  it('makers that other words name are separate requests', async () => {
    const studio = reading({ kind: 'studio', value: 'Sunrise' })
    const person = { ...reading({ kind: 'person', value: 'Naoko Yamada' }), begin: 2, end: 3 }
    const { requestScores, requests: rated } = await matchReadings(catalogue, {
      readings: [studio, person],
    })
    expect(rated).toHaveLength(2)
    expect(requestScores[0]).toBeLessThan(0.5)
  })

  it('of two that a work can have, both are requested', async () => {
    const requests = [reading(topic([], ['bounty'])), reading(topic([], ['jazz']))]
    const { requestScores } = await matchReadings(catalogue, { readings: requests })
    expect(requestScores[0]).toBeCloseTo(0.9)
    expect(requestScores[1]).toBeLessThan(0.5)
  })

  it('a request is not met by what the other of its kind excludes', async () => {
    const requests = [years(1990, 1999), { ...years(2000, 2009), excluded: true }]
    const { requestScores, exclusionScores } = await matchReadings(catalogue, {
      readings: requests,
    })
    expect([...requestScores]).toEqual([1, 0, 0, 0])
    expect([...exclusionScores]).toEqual([0, 1, 0, 0])
  })

  it('says which works have what is excluded', async () => {
    const { requestScores, exclusionScores } = await matchReadings(catalogue, {
      readings: [reading(topic(['Action'], ['jazz']), true)],
    })
    expect([...exclusionScores].map((degree) => Number(degree.toFixed(2)))).toEqual([
      0.76, 0.81, 0, 0,
    ])
    expect([...requestScores]).toEqual([0, 0, 0, 0])
  })

  it('nothing is requested or excluded where nothing is read', async () => {
    const { requestScores, exclusionScores, requests } = await matchReadings(catalogue, {
      readings: [],
    })
    expect([...requestScores, ...exclusionScores]).toEqual(new Array(8).fill(0))
    expect(requests).toEqual([])
  })
})

describe('the likeness of traits', () => {
  const traitsAlone = {
    ...likenessRules(facts),
    ...{
      textShare: 0,
      recommendedShare: 0,
      recommendedWeight: 0,
      eraWeight: 0,
      popularityWeight: 0,
    },
  }
  const similarTo = (row: number) => likenessOfAll(catalogue, traitsAlone, exampleOf(facts, row))

  it('is 1 to itself, less to others, and 0 where nothing is shared or known', async () => {
    const [self, near, far, none] = await similarTo(0)
    expect(self).toBeCloseTo(1)
    expect(near).toBeGreaterThan(0.3)
    expect(near).toBeLessThan(0.95)
    expect([far, none]).toEqual([0, 0])
  })

  it('is less where a trait does not count', async () => {
    const without = exampleOf(facts, 0, undefined, { tags: new Set(['bounty']) })
    const [, near] = await similarTo(0)
    const [, left] = await likenessOfAll(catalogue, traitsAlone, without)
    expect(left).toBeLessThan(near ?? NaN)
  })

  it('to a work without any data is 0', async () => {
    expect([...(await similarTo(3))]).toEqual([0, 0, 0, 0])
  })
})

describe('createDatasetFacts', () => {
  it('knows franchises and the works that stand for them', () => {
    expect([...facts.franchises]).toEqual([-1, 0, 0, -1])
    expect([...facts.isMain]).toEqual([1, 0, 1, 1])
    expect(facts.names).toMatchObject({ studios: ['Sunrise'], people: ['Naoko Yamada'] })
    expect(facts.names.magazines).toEqual(['Afternoon', 'Ultra Jump'])
  })

  it('takes a remake for the franchise where far more know it than the first work', () => {
    const remade = [
      work({ franchise: 'b', relation: 'main' }),
      work({ franchise: 'b', relation: 'remake' }),
      work({ franchise: 'b', relation: 'sequel' }),
    ]
    const mainOf = (...popularity: number[]) => [
      ...factsOf(remade, Float32Array.from(popularity)).isMain,
    ]
    expect(mainOf(2, 4, 5)).toEqual([0, 1, 0])
    expect(mainOf(2, 2.3, 5)).toEqual([1, 0, 0])
    expect(mainOf(4, 2, 1)).toEqual([1, 0, 0])
    expect(mainOf(NaN, 4, 1)).toEqual([1, 0, 0])
  })

  it('of no rows is empty', () => {
    expect(factsOf([])).toMatchObject({ rowCount: 0, names: { genres: [] } })
  })
})
