/** clients/typescript as it is published, against servers that the command started. */
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, expectTypeOf, it } from 'vitest'
import {
  AccessError,
  ConnectionError,
  InvalidRequestError,
  isFailed,
  NotFoundError,
  RateLimitedError,
  type SearchAnswer,
  Synoptic,
  UnavailableError,
} from '../../clients/typescript/dist/index.js'
import { addKey, allRoutes, openClientScene } from './scene.js'

const scene = await openClientScene()
const baseUrl = await scene.start([...allRoutes, '--rate-limit', '0'])
const client = new Synoptic({ baseUrl })
const model = 'static-en'
const description = 'a boy who gains a notebook that kills'

/** A client that counts statuses. */
function counting(options: ConstructorParameters<typeof Synoptic>[0]) {
  const statuses: number[] = []
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const response = await globalThis.fetch(input, init)
    statuses.push(response.status)
    return response
  }
  return { client: new Synoptic({ ...options, fetch }), statuses }
}

async function errorOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  )
}

async function listOf<T>(all: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const one of all) list.push(one)
  return list
}

describe('answers', () => {
  it('searches, with settings in the body and in the address', async () => {
    const params = { candidates: 'all', include_light_novels: true } as const
    const answer = await client.search('manga', { query: description, num_results: 3 }, { params })
    expectTypeOf(answer).toEqualTypeOf<SearchAnswer>()
    expect(answer.results).toHaveLength(3)
    expect(answer.candidates_scored).toBe(answer.entries_total)
  })

  it('has an answer or an error for each text of a batch', async () => {
    const queries = [description, ' ']
    const [good, bad] = await client.searchEach('anime', { queries, num_results: 1 })
    if (good === undefined || isFailed(good)) throw new Error('expected an answer')
    expect(good.results[0]?.title).toBe('Death Note')
    expect(bad).toMatchObject({ error: { path: 'queries.1' } })
    const descriptions = [' ', description]
    const [wrong, right] = await client.searchModelEach('anime', { model, descriptions })
    expect(wrong).toMatchObject({ error: { path: 'descriptions.0' } })
    expect(right).toMatchObject({ results: { length: 10 }, meta: { model: 'builtin/static-en' } })
  })

  it('searches by words without a model', async () => {
    const { meta } = await client.searchModel('anime', { mode: 'lexical', description: 'robot' })
    expect(meta).toMatchObject({ mode: 'lexical', model: null })
  })

  it('returns works, titles, facets, models and the server', async () => {
    const [title] = await client.titles('anime', 'death n', { params: { limit: 1 } })
    expect(title?.title).toBe('Death Note')
    const id = title?.id ?? 0
    expect(await client.entry('anime', id)).toMatchObject({ id, title: 'Death Note' })
    const params = { resultsPerPage: 2, type: ['tv', 'movie'] }
    expect((await client.similar('anime', id, { params })).results).toHaveLength(2)
    expect((await client.facets('manga')).types.length).toBeGreaterThan(0)
    expect((await client.models()).models).toHaveProperty('Similarity models')
    expect(await client.model('builtin/static-en')).toMatchObject({ installed: true })
    expect(await client.health()).toMatchObject({ status: 'ok' })
    await client.confirm('anime', { query: description, work: id, rank: 1 })
  })

  it('has every other route', async () => {
    const body = { model: 'builtin/static-en', input: ['a robot'] }
    const { data } = await client.http.POST('/v1/embeddings', { body })
    expect(data?.data).toHaveLength(1)
    expect((await client.http.GET('/livez')).data).toMatchObject({ status: 'ok' })
  })
})

describe('pages', () => {
  it('goes through all of them', async () => {
    const body = { model, description, resultsPerPage: 40 }
    const { pagination } = await client.searchModel('anime', body)
    const ranks = (await listOf(client.searchModelAll('anime', body))).map(({ rank }) => rank)
    expect(ranks).toEqual(Array.from({ length: pagination.totalResults }, (_, at) => at + 1))
    const found = await listOf(client.searchAll('anime', { query: description, num_results: 30 }))
    expect(new Set(found.map(({ id }) => id)).size).toBe(100)
    const near = client.similarAll('anime', found[0]?.id ?? 0, { params: { resultsPerPage: 50 } })
    expect((await listOf(near)).length).toBeGreaterThan(50)
  })

  it('begins at the given page, and reads no page that nobody wants', async () => {
    const { client: counted, statuses } = counting({ baseUrl })
    const body = { model, description, resultsPerPage: 10, page: 2 }
    for await (const { rank } of counted.searchModelAll('anime', body)) {
      expect(rank).toBe(11)
      break
    }
    expect(statuses).toEqual([200])
  })
})

describe('errors', () => {
  it('names what is wrong with the request', async () => {
    const error = await errorOf(client.search('anime', { query: 'a', num_results: 0 }))
    expect(error).toBeInstanceOf(InvalidRequestError)
    expect(error).toMatchObject({
      name: 'InvalidRequestError',
      status: 400,
      kind: 'invalid-request',
      errors: [{ path: 'num_results' }],
      requestId: expect.stringMatching(/^[\w-]+$/) as string,
    })
  })

  it('names what is not there, and what is not installed', async () => {
    const missing = await errorOf(client.entry('anime', 999_999_999))
    expect(missing).toBeInstanceOf(NotFoundError)
    expect(missing).toMatchObject({ status: 404, kind: 'not-found', errors: [] })
    const uninstalled = client.searchModel('anime', { model: 'all-MiniLM-L6-v2', description })
    expect(await errorOf(uninstalled)).toMatchObject({ status: 404, kind: 'model-not-installed' })
  })

  it('says that there is no answer', async () => {
    const error = await errorOf(new Synoptic({ baseUrl: 'http://127.0.0.1:1' }).health())
    expect(error).toBeInstanceOf(ConnectionError)
    expect(error).toMatchObject({ cause: expect.any(Error) as Error })
  })

  it('sends a key', async () => {
    const apiKey = addKey(scene.folder)
    const guarded = await scene.start(['--api-keys', 'keys.json', '--rate-limit', '0'])
    const ask = (options: object) =>
      new Synoptic({ baseUrl: guarded, ...options }).search('anime', { query: description })
    expect(await errorOf(ask({}))).toBeInstanceOf(AccessError)
    expect(await errorOf(ask({ apiKey: 'wrong' }))).toMatchObject({ status: 401 })
    expect((await ask({ apiKey })).results).toHaveLength(5)

    const writer = new Synoptic({ baseUrl: guarded, apiKey })
    const put = await writer.putEntries('manga', [{ id: 990_001, title: 'Written' }])
    expect(put).toMatchObject({ kind: 'put', entries: 1 })
    expect((await writer.patchEntry('manga', 990_001, { year: 1999 })).kind).toBe('patch')
    expect((await writer.deleteEntry('manga', 990_001)).kind).toBe('delete')
    const { id } = await writer.deleteEntries('manga', { ids: [990_001] })
    expect((await writer.tasks({ params: { limit: 1 } })).map((task) => task.id)).toEqual([id])
    expect(await writer.task(put.id)).toMatchObject({ id: put.id, dataset: 'manga' })
    const titles = writer.putEntries('manga', [{ id: 1, title: ' ' }])
    expect(await errorOf(titles)).toBeInstanceOf(InvalidRequestError)
  })
})

describe('waiting', () => {
  const ask = (by: Synoptic, signal?: AbortSignal) =>
    by.searchModel('anime', { model, description }, signal && { signal })

  it('retries after 429, when the server says', async () => {
    const limit = ['--rate-limit', '0.5', '--rate-limit-loopback']
    const url = await scene.start(limit)
    const { client: patient, statuses } = counting({ baseUrl: url, retries: 50 })
    while (!statuses.includes(429)) {
      const answers = await Promise.all([ask(patient), ask(patient)])
      expect(answers.map(({ results }) => results.length)).toEqual([10, 10])
    }
    expect(statuses.at(-1)).toBe(200)
    // A batch is larger than what may come at once, and has to be the first of its window.
    const descriptions = [description, description]
    const answers = await patient.searchModelEach('anime', { model, descriptions })
    expect(answers.filter(isFailed)).toEqual([])
    expect(answers).toHaveLength(2)
  })

  it('retries after 503', async () => {
    const url = await scene.start(['--limit-concurrency', '1'])
    const { client: patient, statuses } = counting({ baseUrl: url, retries: 50 })
    const params = { candidates: 'all' } as const
    while (!statuses.includes(503)) {
      const body = { query: description, num_results: 1 }
      const one = () => patient.search('manga', body, { params })
      const answers = await Promise.all([one(), one(), one()])
      expect(answers.map(({ results }) => results.length)).toEqual([1, 1, 1])
    }
    // Without another try it is an error.
    const hasty = new Synoptic({ baseUrl: url, retries: 0 })
    for (;;) {
      const one = () => errorOf(hasty.search('manga', { query: description }, { params }))
      const errors = (await Promise.all([one(), one(), one()])).filter(Boolean)
      expect(errors.every((error) => error instanceof UnavailableError)).toBe(true)
      if (errors.length > 0) break
    }
  })

  describe('for minutes', async () => {
    const limit = ['--rate-limit', '0.001', '--rate-limit-loopback']
    const url = await scene.start(limit)
    await ask(new Synoptic({ baseUrl: url }))

    it('is not done', async () => {
      const { client: hasty, statuses } = counting({ baseUrl: url })
      const error = await errorOf(ask(hasty))
      expect(error).toBeInstanceOf(RateLimitedError)
      expect((error as RateLimitedError).retryAfterSeconds).toBeGreaterThan(30)
      expect(statuses).toEqual([429])
    })

    it('ends when the caller leaves', async () => {
      const { client: patient, statuses } = counting({ baseUrl: url, maxRetrySeconds: 1e6 })
      const controller = new AbortController()
      const promise = errorOf(ask(patient, controller.signal))
      while (statuses.length === 0) await sleep(5)
      controller.abort(new Error('enough'))
      expect(await promise).toMatchObject({ message: 'enough' })
      const gone = await errorOf(ask(client, AbortSignal.abort()))
      expect(gone).toMatchObject({ name: 'AbortError' })
    })
  })
})
