/** POST /search: the optional members of requests and results, over the ranker that ships. */
import type { ProblemBody } from '#synoptic/server/problems/problem.js'
import { beforeAll, describe, expect, it } from 'vitest'
import { row } from '../catalogue/shelf.js'
import { openLibrary } from '../search/library.js'
import { createTestApp, post, type TestApp } from './harness.js'

const columns = ['synopsis', 'in other words']
const rows = [
  row(10, {
    title: 'Punch Road',
    type: 'tv',
    year: 2001,
    score: 8.1,
    genres: ['Sports', 'Drama'],
    texts: [
      'A shy boxer trains every night to meet his rival in the ring.',
      'boxing and runs at dawn',
    ],
    facts: {
      episodes: 24,
      franchise: 'punch-road',
      relation: 'main',
      studios: ['Studio Ring'],
      tags: { boxing: 3, rivalry: 2, unheard: 1 },
      spoilerTags: { 'time-loop': 3 },
      otherTitles: ['PR'],
      authors: ['A. Glove'],
    },
    metadata: {
      titleEnglish: 'Punch Road',
      titleJapanese: 'パンチ',
      malId: 10,
      anilistId: 11,
    },
  }),
  row(20, {
    title: 'Punch Road 2',
    type: 'tv',
    year: 2004,
    texts: ['The boxer defends the belt against his old rival.', null],
    facts: { franchise: 'punch-road', relation: 'sequel', tags: { boxing: 3 } },
  }),
  row(30, {
    title: 'Punch Road: Dawn',
    type: 'movie',
    year: 1999,
    texts: ['How the boxer met his trainer, in the ring of a small town.', null],
    facts: { franchise: 'punch-road', relation: 'prequel', tags: { boxing: 3 } },
  }),
  row(40, {
    title: 'Quiet Kettle',
    type: 'tv',
    year: 2010,
    texts: ['Two old friends drink tea and talk about a rival tea house.', null],
    metadata: {},
  }),
  row(50, { title: 'Mute', texts: [null, null] }),
]

interface Result {
  readonly id: number
  readonly synopsis: string
  readonly franchiseEntries?: readonly { readonly id: number }[]
  readonly explain?: {
    readonly words: readonly (readonly [number, number])[]
    readonly facts: readonly string[]
    readonly title: number
    readonly text: number
    readonly fulfilled: number
  }
  readonly [member: string]: unknown
}
interface Answer {
  readonly results: readonly Result[]
  readonly pagination?: unknown
  readonly interpretation?: { readonly readings: readonly { readonly kind: string }[] }
}

let app: TestApp
beforeAll(async () => {
  const { search } = await openLibrary([{ name: 'anime', columns, rows }])
  app = createTestApp({}, { rankedSearch: search.ranked })
})

async function ask(body: Readonly<Record<string, unknown>>): Promise<Answer> {
  const response = await post(app, '/search/anime', { query: 'a boxer and his rival', ...body })
  expect(response.status).toBe(200)
  return (await response.json()) as Answer
}
const idsOf = ({ results }: Answer) => results.map(({ id }) => id)

it('adds nothing where nothing is requested', async () => {
  const { results, pagination } = await ask({})
  expect(Object.keys(results[0] ?? {})).toEqual(['id', 'title', 'score', 'synopsis'])
  expect(pagination).toBeUndefined()
})

describe('group', () => {
  it('shows each franchise once, its other entries oldest first', async () => {
    const single = await ask({})
    const grouped = await ask({ group: 'franchise' })
    const [best] = idsOf(single)
    expect(idsOf(grouped).filter((id) => id < 40)).toEqual([best])
    const others = [30, 10, 20].filter((id) => id !== best)
    expect(grouped.results[0]?.franchiseEntries?.map(({ id }) => id)).toEqual(others)
    const kettle = grouped.results.find(({ id }) => id === 40)
    expect(kettle?.franchiseEntries).toEqual([])
  })

  it('shows no entry that a filter leaves out', async () => {
    const { results } = await ask({ group: 'franchise', type: 'tv' })
    expect(results[0]?.franchiseEntries?.map(({ id }) => id)).not.toContain(30)
  })

  it('counts franchises on its pages', async () => {
    const { pagination } = await ask({ group: 'franchise', page: 1 })
    expect(pagination).toMatchObject({ totalResults: 2 })
  })
})

describe('page', () => {
  it('cuts one order', async () => {
    const whole = idsOf(await ask({ num_results: 5 }))
    const pages = await Promise.all([1, 2, 3, 4].map((page) => ask({ num_results: 2, page })))
    expect(pages.flatMap(idsOf)).toEqual(whole)
    expect(pages[1]?.pagination).toMatchObject({ page: 2, resultsPerPage: 2, totalPages: 2 })
    expect(pages[3]?.results).toEqual([])
  })
})

describe('fields', () => {
  it('adds those that are named', async () => {
    const { results } = await ask({ query: 'Punch Road', fields: ['year', 'tags', 'column'] })
    expect(results[0]).toMatchObject({ id: 10, year: 2001 })
    expect(results[0]?.column).toMatch(/^(synopsis|in other words)$/)
    expect(results[0]?.tags).toEqual([
      { tag: 'boxing', name: 'boxing', family: 'theme', weight: 3 },
      { tag: 'rivalry', name: 'rivalry', family: 'theme', weight: 2 },
      { tag: 'unheard', name: 'unheard', family: null, weight: 1 },
    ])
    expect(results[0]).not.toHaveProperty('genres')
  })

  it('sends the relation under its former name too', async () => {
    const query = 'Punch Road'
    const { results } = await ask({ query, fields: ['relation', 'place'], group: 'franchise' })
    expect(results[0]).toMatchObject({ id: 10, relation: 'main', place: 'main' })
    const sequel = { id: 20, relation: 'sequel', place: 'sequel' }
    expect(results[0]?.franchiseEntries).toContainEqual(expect.objectContaining(sequel))
  })

  it('adds all, empty or null where nothing is known', async () => {
    const { results } = await ask({ query: 'Punch Road', fields: 'all', num_results: 5 })
    expect(results.find(({ id }) => id === 10)).toMatchObject({
      type: 'tv',
      episodes: 24,
      volumes: null,
      genres: ['Sports', 'Drama'],
      score10: 8.1,
      titleEnglish: 'Punch Road',
      titleJapanese: 'パンチ',
      alternativeTitles: ['PR'],
      franchise: 'punch-road',
      relation: 'main',
      place: 'main',
      studios: ['Studio Ring'],
      authors: ['A. Glove'],
      cover: null,
      links: [
        { site: 'MyAnimeList', url: 'https://myanimelist.net/anime/10' },
        { site: 'AniList', url: 'https://anilist.co/anime/11' },
      ],
    })
    const mute = await ask({ query: 'mute', fields: 'all' })
    expect(mute.results[0]).toMatchObject({
      id: 50,
      type: null,
      tags: [],
      links: [],
      column: null,
      synopsis: '',
      titleEnglish: null,
    })
  })
})

describe('explain', () => {
  it('names the words that match and the facts that are met', async () => {
    const { results } = await ask({ query: 'boxing tv series with a rival', explain: true })
    const [best] = results
    const words = best?.explain?.words.map(([begin, end]) => best.synopsis.slice(begin, end))
    expect(words).toContain('boxer')
    expect(words).toContain('rival')
    expect(words).not.toContain('The')
    expect(best?.explain?.facts).toEqual(expect.arrayContaining(['boxing']))
    expect(best?.explain?.fulfilled).toBeGreaterThan(0.5)
    expect(best?.explain?.text).toBeGreaterThan(0)
    const kettle = results.find(({ id }) => id === 40)
    expect(kettle?.explain?.facts).not.toContain('boxing')
  })

  it('returns a likeness of 1 at most, though recommendations and the year add to it', async () => {
    const one = { year: 2001, type: 'tv', texts: ['A boxer trains.'] }
    const tags = { boxing: 3, rivalry: 2 }
    const { search } = await openLibrary([
      {
        name: 'anime',
        columns: ['synopsis'],
        rows: [
          row(1, { ...one, title: 'Iron Glove', facts: { tags, recommended: ['two'] } }),
          row(2, {
            ...one,
            title: 'Steel Fist',
            facts: { tags, franchise: 'two', relation: 'main' },
          }),
          row(3, { ...one, title: 'Tea', facts: { tags: { tea: 3 } } }),
        ],
      },
    ])
    const response = await post(
      createTestApp({}, { rankedSearch: search.ranked }),
      '/search/anime',
      { query: 'like Iron Glove', explain: true },
    )
    const { results } = (await response.json()) as Answer
    expect(results[0]).toMatchObject({ id: 2, explain: { similar: 1 } })
  })

  it('returns a title', async () => {
    const { results } = await ask({ query: 'quiet kettle', explain: true })
    expect(results[0]).toMatchObject({ id: 40, explain: { title: 1 } })
    expect(results[1]?.explain?.title).toBe(0)
  })
})

describe('ignore', () => {
  const kindsOf = ({ interpretation }: Answer) =>
    interpretation?.readings.map(({ kind }) => kind) ?? []

  it('takes a part of the query as text', async () => {
    const query = 'tv series without boxing'
    expect(kindsOf(await ask({ query }))).toEqual(['type', 'topic'])
    expect(kindsOf(await ask({ query, ignore: [[10, 24]] }))).toEqual(['type'])
    expect(kindsOf(await ask({ query, ignore: [[0, 24]] }))).toEqual([])
  })

  it('takes a title as text', async () => {
    expect(kindsOf(await ask({ query: 'quiet kettle' }))).toEqual(['title'])
    expect(kindsOf(await ask({ query: 'quiet kettle', ignore: [[0, 12]] }))).toEqual([])
  })

  it('takes a named work as text', async () => {
    const query = 'like Punch Road'
    expect(kindsOf(await ask({ query }))).toEqual(['like'])
    expect(kindsOf(await ask({ query, ignore: [[0, 15]] }))).toEqual([])
  })
})

describe('refuses', () => {
  it.each([
    [['year', 'yaer'], 'received "yaer"; did you mean year?'],
    [['year', 7], 'received 7'],
    ['some', 'received a string'],
  ])('fields %j by what is wrong', async (fields, message) => {
    const response = await post(app, '/search/anime', { query: 'a boxer', fields })
    const { errors } = (await response.json()) as ProblemBody
    expect(errors[0]?.message).toContain(message)
  })

  it.each([
    [{ group: 'series' }, 'group'],
    [{ group: true }, 'group'],
    [{ page: 0 }, 'page'],
    [{ page: 1.5 }, 'page'],
    [{ page: 10_001 }, 'page'],
    [{ page: 101, num_results: 100 }, 'page'],
    [{ page: 2001 }, 'page'],
    [{ fields: 'some' }, 'fields'],
    [{ fields: ['year', 7] }, 'fields'],
    [{ fields: ['year', 'yaer'] }, 'fields'],
    [{ fields: new Array<string>(40).fill('year') }, 'fields'],
    [{ explain: 'yes' }, 'explain'],
    [{ ignore: [[3]] }, 'ignore.0.1'],
    [{ ignore: [[3, 3]] }, 'ignore.0'],
    [{ ignore: [[-1, 3]] }, 'ignore.0.0'],
    [{ ignore: 'all' }, 'ignore'],
    [{ ignore: new Array<number[]>(51).fill([0, 1]) }, 'ignore'],
  ])('%j', async (body, path) => {
    const response = await post(app, '/search/anime', { query: 'a boxer', ...body })
    expect(response.status).toBe(400)
    const { errors } = (await response.json()) as ProblemBody
    expect(errors.map((error) => error.path)).toContain(path)
  })
})
