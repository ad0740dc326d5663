/** Filters, orders and counts of a user's own metadata: from the mapping to every request that takes them. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { importDatasets } from '#synoptic/data/datasets/import.js'
import { readContents, type DatasetContents } from '#synoptic/data/catalogue/contents.js'
import { openCatalogue } from '#synoptic/data/catalogue/open-catalogue.js'
import { createEntryJson } from '#synoptic/server/http/entry-json.js'
import { builtinModel } from '#synoptic/models/registry/registry.js'
import type { ProblemBody } from '#synoptic/server/problems/problem.js'
import { beforeAll, describe, expect, it } from 'vitest'
import { row, useFolder } from '../catalogue/shelf.js'
import { openLibrary } from '../search/library.js'
import { createTestApp, type TestApp } from './harness.js'

const folder = useFolder()
const lines = [
  ['id', 'title', 'year', 'about', 'publisher', 'price', 'out', 'labels', 'owned'],
  ['1', 'Boxing Days', '1990', 'A boxer trains.', 'Kodansha', '9.99', '2005-10-04', 'a|b', 'yes'],
  ['2', 'Ring', '2000', 'A shy boy enters the ring.', 'shueisha', '5', '2005-10', 'b', 'no'],
  ['3', 'Kitchen', '2010', 'A chef opens a shop.', 'Kodansha', '12', '2006', 'c', 'yes'],
  ['4', 'Snow', '2020', 'Two children lose their way in snow.', '', '', '', '', ''],
]
const own = (from: string, as: string) => ({ from, as, filterable: true })
const mapping = {
  dataset: 'anime',
  file: 'shelf.csv',
  format: 'csv',
  fields: { id: 'id', title: 'title', year: 'year' },
  metadata: {
    publisher: own('publisher', 'text'),
    price: own('price', 'number'),
    out: own('out', 'date'),
    labels: own('labels', 'list'),
    owned: own('owned', 'boolean'),
    note: { from: 'publisher', as: 'text' },
  },
  texts: { synopsis: 'about' },
}

function writeMapping(name: string, changed: object = {}): string {
  const file = join(folder, name)
  writeFileSync(file, JSON.stringify({ ...mapping, ...changed }))
  return file
}

let app: TestApp
let contents: DatasetContents | undefined
beforeAll(async () => {
  writeFileSync(join(folder, 'shelf.csv'), lines.map((cells) => cells.join(',')).join('\n'))
  const into = join(folder, 'catalogue.sqlite')
  await importDatasets([writeMapping('shelf.json')], { into })
  const catalogue = openCatalogue(into)
  contents = readContents(catalogue, 'anime')
  const rows = [...(contents?.rows ?? [])]
  catalogue.close()
  const manga = {
    name: 'manga' as const,
    columns: ['synopsis'],
    rows: [row(7, { title: 'Punch', year: 2005, score: 9, texts: ['A boxer fights in a ring.'] })],
  }
  const { filterables = [], columns = [] } = contents ?? {}
  const { search } = await openLibrary([{ name: 'anime', columns, filterables, rows }, manga])
  app = createTestApp(
    {},
    {
      search: search.similar,
      rankedSearch: search.ranked,
      joinedSearch: search.joined,
      listEntries: search.listEntries,
      recommend: search.recommend,
      browse: search.browse,
      entries: createEntryJson(search.catalogue),
      models: [builtinModel],
    },
  )
})

async function send(path: string, body: object) {
  const headers = { 'content-type': 'application/json' }
  const request = { method: 'POST', headers, body: JSON.stringify(body) }
  const response = await app.app.request(path, request)
  return { status: response.status, body: await response.json() }
}

interface Found {
  readonly results: readonly { readonly id: number; readonly dataset?: string }[]
  readonly pagination?: { readonly totalResults: number; readonly totalPages: number }
  readonly facets?: Readonly<Record<string, unknown>>
  readonly warnings?: readonly string[]
}

async function find(path: string, body: object): Promise<Found> {
  const { status, body: found } = await send(path, body)
  expect(status, JSON.stringify(found)).toBe(200)
  return found as Found
}
const idsOf = ({ results }: Found) => results.map(({ id }) => id)
const listed = async (body: object) => idsOf(await find('/browse/anime', body))

describe('metadata that the mapping declares filterable', () => {
  it.each([
    ['a text, in any case', { publisher: 'KODANSHA' }, [1, 3]],
    ['a list of texts', { publisher: ['Kodansha', 'Shueisha'] }, [1, 2, 3]],
    ['members of lists', { labels: { all: ['a', 'b'] } }, [1]],
    ['none of some', { labels: { any: ['b'], none: ['a'] } }, [2]],
    ['none alone, which what is unknown meets', { publisher: { none: ['Kodansha'] } }, [2, 4]],
    ['a number', { price: 9.99 }, [1]],
    ['a range of numbers', { price: { from: 5, to: 10 } }, [1, 2]],
    ['numbers up to one', { price: { to: 9 } }, [2]],
    ['a date', { out: '2005-10-04' }, [1]],
    ['a month', { out: '2005-10' }, [1, 2]],
    ['dates from one on', { out: { from: '2005-10-05' } }, [3]],
    ['dates in a year', { out: { from: '2005', to: '2005' } }, [1, 2]],
    ['true', { owned: true }, [1, 3]],
    ['two names', { owned: true, price: { from: 10 } }, [3]],
    ['a text that nothing has', { publisher: 'nobody' }, []],
  ])('is filtered by %s', async (_, where, ids) => {
    expect(await listed({ where, sort: { by: 'year', order: 'ascending' } })).toEqual(ids)
  })

  it('is taken by every search, next to the other filters', async () => {
    const where = { publisher: 'kodansha' }
    const search = await find('/search/anime', { query: 'a boxer in the ring', where })
    expect(idsOf(search)).toEqual([1, 3])
    const queries = ['a boxer', 'a chef']
    const batch = await send('/search/anime', { queries, where: { labels: ['c'] } })
    expect(batch.body).toMatchObject({
      answers: [{ results: [{ id: 3 }] }, { results: [{ id: 3 }] }],
    })
    const compared = { model: builtinModel, description: 'a boxer', where, yearTo: 2000 }
    expect(idsOf(await find('/searchmodel/anime', compared))).toEqual([1])
    const liked = { liked: [{ id: 2 }], query: 'a shop', where }
    expect(idsOf(await find('/recommend/anime', liked)).toSorted()).toEqual([1, 3])
  })

  it('sorts, with what is not known last', async () => {
    expect(await listed({ sort: 'price' })).toEqual([3, 1, 2, 4])
    expect(await listed({ sort: { by: 'price', order: 'ascending' } })).toEqual([2, 1, 3, 4])
    expect(await listed({ sort: 'out' })).toEqual([3, 1, 2, 4])
    const search = await find('/search/anime', { query: 'a boxer', sort: 'price' })
    expect(idsOf(search)).toEqual([3, 1, 2, 4])
  })

  it('is counted, as much of it as is requested', async () => {
    const facets = await (await app.app.request('/facets/anime')).json()
    expect(facets).toMatchObject({
      where: {
        publisher: {
          values: [
            { value: 'Kodansha', count: 2 },
            { value: 'shueisha', count: 1 },
          ],
        },
        price: { from: 5, to: 12 },
        out: { from: 20051000, to: 20060000 },
      },
    })
    const of = { facets: ['years', 'where'], where: { owned: true }, num_results: 1 }
    const { facets: some } = await find('/browse/anime', of)
    expect(some).toMatchObject({
      years: { from: 1990, to: 2010 },
      where: { labels: { values: [{ value: 'a' }, { value: 'b' }, { value: 'c' }] } },
    })
    expect(Object.keys(some ?? {})).toEqual(['years', 'where'])
    const all = await find('/search/anime', { query: 'a boxer', facets: true })
    expect(Object.keys(all.facets ?? {})).toContain('studios')
    expect(await find('/search/anime', { query: 'a boxer', facets: [] })).not.toHaveProperty(
      'facets',
    )
  })

  it.each([
    [{ where: { publsher: 'x' } }, 'where.publsher', 'did you mean publisher'],
    [{ where: { note: 'x' } }, 'where.note', 'unknown name'],
    [{ where: { publisher: { from: 'a' } } }, 'where.publisher', 'received a range'],
    [{ where: { publisher: 5 } }, 'where.publisher', 'expected texts'],
    [{ where: { price: 'cheap' } }, 'where.price', 'expected a number'],
    [{ where: { price: { from: '5' } } }, 'where.price', 'expected a number'],
    [{ where: { out: 'October' } }, 'where.out', 'expected a date'],
    [{ where: { owned: 'yes' } }, 'where.owned', 'expected a boolean'],
    [{ where: { owned: { from: 0 } } }, 'where.owned', 'received a range'],
    [{ where: { price: { least: 5 } } }, 'where.price', 'expected a value, a list'],
    [{ where: { labels: [] } }, 'where.labels', 'a list of 1 to 50'],
    [{ where: { labels: {} } }, 'where.labels', 'expected any, all, none'],
    [{ where: { labels: null } }, 'where.labels', 'received null'],
    [{ where: ['labels'] }, 'where', ''],
    [{ sort: 'publisher' }, 'sort', 'known are year, rating, popularity, out, owned, price'],
    [{ sort: 'prize' }, 'sort', 'did you mean price'],
    [{ sort: { by: 'price', order: 'up' } }, 'sort', ''],
    [{ sort: 5 }, 'sort', 'an object of by and order'],
    [{ facets: ['type'] }, 'facets', 'did you mean types'],
    [{ facets: 'types' }, 'facets', 'expected true, false or a list'],
  ])('is refused where it is wrong: %j', async (wrong, path, message) => {
    for (const [route, body] of [
      ['/browse/anime', {}],
      ['/search/anime', { query: 'a boxer' }],
    ] as const) {
      const { status, body: problem } = await send(route, { ...body, ...wrong })
      expect(status).toBe(400)
      const [first] = (problem as ProblemBody).errors
      expect(first?.path.startsWith(path), JSON.stringify(problem)).toBe(true)
      expect(first?.message).toContain(message)
    }
  })

  it('stays with the catalogue when other datasets are imported, and in updates', async () => {
    const into = join(folder, 'kept.sqlite')
    await importDatasets([writeMapping('first.json')], { into })
    const price = { from: 'price', as: 'number' }
    const other = { dataset: 'manga', metadata: { price: { ...price, filterable: true } } }
    await importDatasets([writeMapping('other.json', other)], { into })
    await importDatasets([writeMapping('again.json', { metadata: { price } })], {
      into,
      update: true,
    })
    const catalogue = openCatalogue(into)
    const names = (dataset: 'anime' | 'manga') =>
      catalogue.ownValues(dataset).fields.map(({ name }) => name)
    expect(names('anime').toSorted()).toEqual(['labels', 'out', 'owned', 'price', 'publisher'])
    expect(names('manga')).toEqual(['price'])
    catalogue.close()
  })

  it.each([
    ['a field of every work', { fields: { title: own('title', 'text') } }, 'for metadata alone'],
    ['a text', { texts: { synopsis: own('about', 'text') } }, 'for metadata alone'],
    ['no type', { metadata: { price: { from: 'price', filterable: true } } }, 'needs "as"'],
    ['a fact', { metadata: { studios: own('publisher', 'list') } }, 'is a fact'],
    [
      'no boolean',
      { metadata: { price: { ...own('price', 'number'), filterable: 1 } } },
      'filterable',
    ],
  ])('is no declaration for %s', async (_, changed, message) => {
    const into = join(folder, 'none.sqlite')
    const file = writeMapping('wrong.json', changed)
    await expect(importDatasets([file], { into })).rejects.toThrow(message)
  })
})

describe('POST /browse', () => {
  it('pages an order that has every entry once', async () => {
    const page = (number: number) =>
      find('/browse/anime', { sort: 'year', num_results: 3, page: number, fields: ['year'] })
    const first = await page(1)
    expect(first.results).toMatchObject([
      { id: 4, title: 'Snow', year: 2020, synopsis: 'Two children lose their way in snow.' },
      { id: 3 },
      { id: 2 },
    ])
    expect(first.pagination).toMatchObject({ totalResults: 4, totalPages: 2 })
    expect(idsOf(await page(2))).toEqual([1])
    expect(idsOf(await page(3))).toEqual([])
  })

  it('says what no entry has', async () => {
    const { warnings } = await find('/browse/anime', { genres: { any: ['Horor'] } })
    expect(warnings).toEqual([expect.stringContaining('Horor')])
  })

  it.each([
    [{ query: 'x' }, 'query'],
    [{ page: 1000, num_results: 100 }, 'page'],
    [{ yearFrom: 2000, yearTo: 1990 }, 'yearFrom'],
    [{ num_results: 0 }, 'num_results'],
    [{ sort: 'fit' }, 'sort'],
  ])('refuses %j', async (body, path) => {
    const { status, body: problem } = await send('/browse/anime', body)
    expect([status, (problem as ProblemBody).errors[0]?.path]).toEqual([400, path])
  })
})

describe('POST /search', () => {
  it('merges both datasets into one order', async () => {
    const query = 'a boxer fights in a ring'
    const { results, facets, pagination } = await find('/search', {
      query,
      facets: ['years'],
      page: 1,
    })
    expect(results.map(({ dataset }) => dataset).toSorted()).toEqual([
      ...Array<string>(4).fill('anime'),
      'manga',
    ])
    expect(results.at(-1)?.dataset).toBe('anime')
    expect(pagination).toMatchObject({ totalResults: 5 })
    expect(facets).toEqual({ years: { from: 1990, to: 2020 } })
    const scores = results.map((result) => (result as unknown as { score: number }).score)
    expect(scores).toEqual(scores.toSorted((one, other) => other - one))
    const [anime, manga] = await Promise.all([
      find('/search/anime', { query }),
      find('/search/manga', { query }),
    ])
    const alone = [...anime.results, ...manga.results]
    for (const { dataset: _, ...result } of results) expect(alone).toContainEqual(result)
    const second = await find('/search', { query, num_results: 2, page: 2 })
    expect(idsOf(second)).toEqual(idsOf({ results }).slice(2, 4))
    const byYear = await find('/search', { query, sort: 'year' })
    expect(idsOf(byYear)).toEqual([4, 3, 7, 2, 1])
  })

  it.each([
    [{}, 'query'],
    [{ query: ' ' }, 'query'],
    [{ queries: ['a', 'b'] }, 'queries'],
    [{ query: 'x', exclude: [1] }, 'exclude'],
    [{ query: 'x', page: 1000, num_results: 100 }, 'page'],
    [{ query: 'x', yearFrom: 2000, yearTo: 1990 }, 'yearFrom'],
  ])('refuses %j', async (body, path) => {
    const { status, body: problem } = await send('/search', body)
    const paths = (problem as ProblemBody).errors.map((one) => one.path)
    expect([status, paths]).toEqual([400, expect.arrayContaining([path])])
  })
})
