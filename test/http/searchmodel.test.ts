import { describe, expect, it } from 'vitest'
import { EmbeddingsMissingError } from '#synoptic/base/errors/index.js'
import type { ProblemBody } from '#synoptic/server/problems/problem.js'
import type { SearchJson } from '#synoptic/server/schemas/search-body.js'
import { createTestApp, post, question } from './harness.js'
import { createWorld, model } from '../search/world.js'

const paths = ['/searchmodel/anime', '/searchmodel/manga'] as const
const test = createTestApp()

async function problemOf(response: Response): Promise<ProblemBody> {
  expect(response.headers.get('content-type')).toBe('application/problem+json')
  const body = (await response.json()) as ProblemBody
  expect(Object.keys(body)).toEqual([
    'type',
    'title',
    'status',
    'detail',
    'error',
    'errors',
    'requestId',
  ])
  expect(body.status).toBe(response.status)
  expect(body.error).toBe(body.detail)
  expect(body.requestId).toBe(response.headers.get('x-request-id'))
  return body
}

describe.each(paths)('POST %s', (path) => {
  const answerOf = async (body: unknown) => {
    const response = await post(test, path, body)
    expect(response.status).toBe(200)
    return (await response.json()) as SearchJson
  }

  it('answers results, pagination and meta', async () => {
    const response = await post(test, path, question)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/json')
    const answer = (await response.json()) as SearchJson
    expect(Object.keys(answer)).toEqual(['results', 'pagination', 'meta'])
    expect(answer.results).toHaveLength(10)
    expect(answer.pagination).toMatchObject({ page: 1, resultsPerPage: 10 })
    expect(answer.meta).toMatchObject({ model, dataset: path.slice('/searchmodel/'.length) })
    for (const name of ['queue', 'tokenize', 'infer', 'scan', 'hydrate', 'total']) {
      expect(response.headers.get('server-timing')).toMatch(new RegExp(`\\b${name};dur=[\\d.]+`))
    }
  })

  it('cuts pages that are disjoint and complete', async () => {
    const ids: number[] = []
    const { pagination } = await answerOf({ ...question, resultsPerPage: 4 })
    for (let page = 1; page <= pagination.totalPages; page++) {
      const { results } = await answerOf({ ...question, page, resultsPerPage: 4 })
      ids.push(...results.map(({ id }) => id))
    }
    expect(ids).toHaveLength(pagination.totalResults)
    expect(new Set(ids).size).toBe(pagination.totalResults)
    const whole = await answerOf({ ...question, resultsPerPage: 100 })
    expect(whole.results.map(({ id }) => id)).toEqual(ids)
  })

  it.each([
    ['the last page', { page: 100, resultsPerPage: 100 }],
    ['2000 characters', { description: `robot ${'x'.repeat(1994)}` }],
    ['2000 characters of two UTF-16 units each', { description: `a${'😀'.repeat(1999)}` }],
    ['2000 characters within spaces', { description: `  \n${'x'.repeat(2000)}\t ` }],
    ['one character', { description: 'x' }],
    ['half of a surrogate pair', { description: 'robot \ud83d' }],
    ['integers written as decimals', '{"model":"test/words","description":"robot","page":1.0}'],
  ])('takes %s', async (_, change) => {
    await answerOf(typeof change === 'string' ? change : { ...question, ...change })
  })

  it.each([
    ['no model', { model: undefined }, 'model', 'required'],
    ['an empty model', { model: '' }, 'model', 'unknown model ""; the nearest are '],
    ['a model that is not allowed', { model: 'gpt' }, 'model', 'unknown model "gpt"'],
    ['a model in other case', { model: 'Test/Words' }, 'model', 'the nearest are test/words, '],
    ['a member that is not known', { surprise: true }, 'surprise', 'unknown name; known are model'],
    ['a model that is a path', { model: '../../etc/passwd' }, 'model', 'unknown model "'],
    ['a model of the prototype', { model: 'constructor' }, 'model', 'unknown model "'],
    ['a model that is a number', { model: 7 }, 'model', 'received 7'],
    ['a model that is null', { model: null }, 'model', 'received null'],
    ['no description', { description: undefined }, 'description', 'required'],
    ['an empty description', { description: '' }, 'description', 'it is empty'],
    ['a blank description', { description: ' \u3000\n\t' }, 'description', 'it is empty'],
    ['2001 characters', { description: 'x'.repeat(2001) }, 'description', 'it has 2,001'],
    ['2001 emoji', { description: '😀'.repeat(2001) }, 'description', 'it has 2,001'],
    ['a description that is an array', { description: ['x'] }, 'description', 'an array'],
    ['a description that is null', { description: null }, 'description', 'received null'],
    [
      'a description without words',
      { description: '12 34' },
      'description',
      'a word that the model knows',
    ],
    ['page 0', { page: 0 }, 'page', 'an integer from 1 to 10000, received 0'],
    ['page -1', { page: -1 }, 'page', 'received -1'],
    ['page 1.5', { page: 1.5 }, 'page', 'received 1.5'],
    ['page "2"', { page: '2' }, 'page', 'received a string'],
    ['page null', { page: null }, 'page', 'received null'],
    ['page true', { page: true }, 'page', 'received true'],
    ['page [1]', { page: [1] }, 'page', 'received an array'],
    ['page 1e300', { page: 1e300 }, 'page', 'an integer from 1'],
    ['resultsPerPage 0', { resultsPerPage: 0 }, 'resultsPerPage', 'from 1 to 100'],
    ['resultsPerPage 101', { resultsPerPage: 101 }, 'resultsPerPage', 'from 1 to 100'],
    ['resultsPerPage "10"', { resultsPerPage: '10' }, 'resultsPerPage', 'a string'],
    ['resultsPerPage {}', { resultsPerPage: {} }, 'resultsPerPage', 'an object'],
    ['a page too deep', { page: 101, resultsPerPage: 100 }, 'page', 'at most 10000'],
  ])('refuses %s', async (_, change, member, expected) => {
    const response = await post(test, path, { ...question, ...change })
    expect(response.status).toBe(400)
    const { type, errors } = await problemOf(response)
    expect(type).toBe('urn:synoptic:problem:invalid-request')
    expect(errors).toHaveLength(1)
    expect(errors[0]).toMatchObject({ path: member })
    expect(errors[0]?.message).toContain(expected)
  })

  it('reports every problem at once', async () => {
    const body = { model: 'gpt', description: '', page: 0, resultsPerPage: 'many' }
    const { errors } = await problemOf(await post(test, path, body))
    expect(errors.map(({ path }) => path)).toEqual([
      'model',
      'description',
      'page',
      'resultsPerPage',
    ])
  })

  it.each([
    ['nothing', '', 'received nothing'],
    ['text that is no JSON', '{"model": secret', 'expected JSON'],
    ['null', 'null', 'a JSON object, received null'],
    ['an array', '[]', 'a JSON object, received an array'],
    ['a string', '"x"', 'a JSON object, received a string'],
    ['a number', '1', 'a JSON object, received 1'],
  ])('refuses %s as the body', async (_, body, expected) => {
    const response = await post(test, path, body)
    expect(response.status).toBe(400)
    const { errors, detail } = await problemOf(response)
    expect(errors).toEqual([{ path: '', message: detail }])
    expect(detail).toContain(expected)
    expect(detail).not.toContain('secret')
  })

  it('refuses bytes that are no UTF-8', async () => {
    const body = Buffer.from([0x7b, 0xff, 0x7d])
    const headers = { 'content-type': 'application/json' }
    const response = await test.app.request(path, { method: 'POST', body, headers })
    expect(response.status).toBe(400)
    expect((await problemOf(response)).detail).toBe('expected UTF-8')
  })

  it.each([
    ['text/plain', {}],
    ['application/x-www-form-urlencoded', {}],
    ['application/jsonp', {}],
    ['', {}],
    ['application/json', { 'content-encoding': 'gzip' }],
  ])('refuses a body of type %j %o', async (type, headers) => {
    const response = await post(test, path, question, { 'content-type': type, ...headers })
    expect(response.status).toBe(415)
    await problemOf(response)
  })

  it.each(['application/json; charset=utf-8', 'Application/JSON', 'application/vnd.api+json'])(
    'takes a body of type %s',
    async (type) => {
      const response = await post(test, path, question, { 'content-type': type })
      expect(response.status).toBe(200)
    },
  )

  it('refuses a body over the limit, by its header and by its bytes', async () => {
    const body = JSON.stringify({ ...question, padding: 'x'.repeat(2 ** 20) })
    for (const headers of [{}, { 'content-length': String(body.length) }]) {
      const response = await post(test, path, body, headers)
      expect(response.status).toBe(413)
      expect((await problemOf(response)).detail).toContain('1048576 bytes')
    }
    const fits = JSON.stringify(question) + ' '.repeat(1_000_000)
    expect((await post(test, path, fits)).status).toBe(200)
  })

  it.each(['GET', 'PUT', 'DELETE', 'PATCH'])(
    'refuses %s and names what it takes',
    async (method) => {
      const response = await test.app.request(path, { method })
      expect(response.status).toBe(405)
      expect(response.headers.get('allow')).toBe('POST, OPTIONS')
      await problemOf(response)
    },
  )
})

describe('filters and modes', () => {
  const answerOf = async (changes: object) => {
    const response = await post(test, '/searchmodel/anime', { ...question, ...changes })
    expect(response.status).toBe(200)
    return (await response.json()) as SearchJson
  }

  it('narrow what is found, and the totals with it', async () => {
    const all = await answerOf({ resultsPerPage: 100 })
    const filter = {
      type: ['TV', 'movie'],
      genres: { any: ['action', 'DRAMA'], none: ['Space'] },
      yearFrom: 1985,
      yearTo: 2010,
      minScore: 6,
      adult: false,
    }
    const { results, pagination } = await answerOf({ ...filter, resultsPerPage: 100 })
    const expected = all.results.filter(
      ({ type, genres, year, score }) =>
        type !== 'light_novel' &&
        !genres.includes('Space') &&
        (year ?? 0) >= 1985 &&
        (year ?? 0) <= 2010 &&
        (score ?? 0) >= 6,
    )
    expect(expected.length).toBeGreaterThan(2)
    expect(results.map(({ id, similarity }) => [id, similarity])).toEqual(
      expected.map(({ id, similarity }) => [id, similarity]),
    )
    expect(pagination.totalResults).toBe(expected.length)
    expect(results.map(({ rank }) => rank)).toEqual(expected.map((_, position) => position + 1))
  })

  it('find nothing where nothing fits, with status 200', async () => {
    const { results, pagination } = await answerOf({ type: "tv' OR 1=1 --" })
    expect(results).toEqual([])
    expect(pagination).toMatchObject({ totalResults: 0, totalPages: 0 })
  })

  it('lexical needs no model, and names none', async () => {
    const { description } = question
    const ask = (body: object) => post(createTestApp(), '/searchmodel/anime', body)
    const response = await ask({ description, mode: 'lexical' })
    expect(response.status).toBe(200)
    const { results, meta } = (await response.json()) as SearchJson
    expect(results.length).toBeGreaterThan(0)
    expect(meta.model).toBeNull()
    for (const mode of ['semantic', 'hybrid', undefined]) {
      const refused = await ask({ description, mode })
      expect(refused.status).toBe(400)
      expect((await problemOf(refused)).detail).toBe('model: required')
    }
  })

  it('tell the mode and what each place is made of', async () => {
    const semantic = await answerOf({ mode: 'semantic' })
    expect(semantic.meta).toMatchObject({ mode: 'semantic' })
    expect(semantic.results[0]).not.toHaveProperty('explain')
    const lexical = await answerOf({ mode: 'lexical', resultsPerPage: 100 })
    expect(lexical.results.length).toBeGreaterThan(5)
    lexical.results.forEach(({ rank, similarity, explain }) => {
      expect(similarity).toBeNull()
      expect(explain).toMatchObject({ semantic: null, fused: null, lexical: { rank } })
    })
    const { results } = await answerOf({ mode: 'hybrid', resultsPerPage: 100 })
    for (const { explain } of results) {
      const { semantic, lexical, fused } = explain ?? {}
      const parts = [semantic, lexical].flatMap((place) => (place ? [1 / (60 + place.rank)] : []))
      expect(fused).toBeCloseTo(
        parts.reduce((sum, part) => sum + part, 0),
        12,
      )
    }
  })

  it('tell of lists, and leave out what is listed', async () => {
    const lookUp = () =>
      Promise.resolve({ statuses: new Map([[3, 'COMPLETED'] as const]), note: 'Not all.' })
    const { search } = createWorld(undefined, { lookUp })
    const listing = createTestApp({}, { search })
    const read = async (parameters: string) => {
      const where = `/searchmodel/anime${parameters}`
      const response = await post(listing, where, { ...question, resultsPerPage: 100 })
      return (await response.json()) as SearchJson
    }
    const { results, meta } = await read('')
    expect(results.map(({ id, listStatus }) => [id, listStatus])).toEqual(
      results.map(({ id }) => [id, id === 1021 ? 'COMPLETED' : null]),
    )
    expect(meta.notes).toEqual(['Not all.'])
    const rest = await read('?excludeListed=true')
    expect(rest.pagination.totalResults).toBe(results.length - 1)
    expect(rest.results.map(({ id }) => id)).not.toContain(1021)
    const refused = await post(listing, '/searchmodel/anime?excludeListed=maybe', question)
    expect(refused.status).toBe(400)
    expect((await problemOf(refused)).detail).toMatch(
      /^excludeListed: expected true, false, 1 or 0, received "maybe"$/,
    )
  })

  it.each<[object, RegExp]>([
    [{ type: 7 }, /^type: expected a name or a list of 1 to 50, .* received 7$/],
    [{ type: [] }, /^type: must be 1 to 50 names; it is empty/],
    [{ type: ' ' }, /^type: must be 1 to 100 characters; it is empty$/],
    [{ type: Array.from({ length: 51 }, () => 'tv') }, /^type: must be 1 to 50 names; it has 51/],
    [{ genres: 'Action' }, /^genres: expected an object of any, all and none, received a string/],
    [
      { genres: ['Action'] },
      /^genres.*: expected an object of any, all and none, received an array$/,
    ],
    [{ genres: { some: ['Action'] } }, /^genres.some: expected any, all and none/],
    [{ genres: { any: [] } }, /^genres.any: must be 1 to 50 names; it is empty/],
    [
      { genres: { all: ['x'.repeat(101)] } },
      /^genres.all.0: must be 1 to 100 characters; it has 101$/,
    ],
    [{ genres: { none: [null] } }, /^genres.none.0: expected text, received null/],
    [
      { tags: { any: ['time-lop'] } },
      /^tags.any.0: expected a tag of the vocabulary, received "time-lop"; did you mean time-loop\?$/,
    ],
    [{ tags: { all: ['underwater tax law'] } }, /^tags.all.0: expected a tag of the vocabulary/],
    [{ tags: ['gore'] }, /^tags: expected an object of any, all and none, received an array/],
    [{ tags: { none: [] } }, /^tags.none: must be 1 to 50 names; it is empty/],
    [{ yearFrom: '1999' }, /^yearFrom: expected an integer from 1 to 9999/],
    [{ yearTo: 1999.5 }, /^yearTo: expected an integer/],
    [
      { yearFrom: 2001, yearTo: 2000 },
      /^yearFrom: expected yearFrom to be at most yearTo, received 2001 and 2000$/,
    ],
    [{ minScore: 11 }, /^minScore: expected a number from 0 to 10, received 11$/],
    [{ minScore: '8' }, /^minScore: expected a number from 0 to 10, received a string/],
    [{ adult: 'no' }, /^adult: expected true or false, received a string/],
    [{ mode: 'fuzzy' }, /^mode: expected one of semantic, lexical, hybrid, received "fuzzy"$/],
  ])('refuse %j', async (changes, message) => {
    const response = await post(test, '/searchmodel/anime', { ...question, ...changes })
    expect(response.status).toBe(400)
    expect((await problemOf(response)).detail).toMatch(message)
  })
})

describe('what the server is to blame for', () => {
  it('is a 500 with a type of its own, and the log says how to mend it', async () => {
    const failing = createTestApp(
      {},
      {
        search: {
          ...test.world.search,
          similar: ({ dataset }) =>
            Promise.reject(new EmbeddingsMissingError(dataset, question.model)),
        },
      },
    )
    const response = await post(failing, '/searchmodel/anime', question)
    expect(response.status).toBe(500)
    const { type, detail, requestId } = await problemOf(response)
    expect(type).toBe('urn:synoptic:problem:embeddings-missing')
    expect(detail).toBe('The anime dataset has no embeddings by the model test/words.')
    const line = failing.log.find(({ level }) => level === 50)
    expect(line).toMatchObject({ requestId, msg: expect.stringContaining('embed build') as string })
  })

  it('shows nothing of an error that nobody foresaw', async () => {
    const failing = createTestApp(
      {},
      {
        search: {
          ...test.world.search,
          similar: () => Promise.reject(new Error('ENOENT /secret/path')),
        },
      },
    )
    const response = await post(failing, '/searchmodel/manga', question)
    expect(response.status).toBe(500)
    const body = await problemOf(response)
    expect(body.type).toBe('urn:synoptic:problem:internal-error')
    expect(JSON.stringify(body)).not.toContain('secret')
    expect(JSON.stringify(failing.log)).toContain('/secret/path')
  })

  it('never has the description in the log', async () => {
    const { app, log } = createTestApp()
    const headers = { 'content-type': 'application/json' }
    const secret = 'octopus'
    for (const body of [{ ...question, description: secret }, { description: secret }, secret]) {
      const text = JSON.stringify(body)
      await app.request(`/searchmodel/anime?q=${secret}`, { method: 'POST', headers, body: text })
    }
    expect(log).toHaveLength(3)
    expect(JSON.stringify(log)).not.toContain(secret)
  })
})
