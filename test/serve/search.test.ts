/** Every parameter and member of /search, over a server that the command started. */
import { join } from 'node:path'
import type { HealthReport } from '#synoptic/server/schemas/server-health.js'
import { describe, expect, it } from 'vitest'
import { notebook, openSearchScene, type Answer } from './search-scene.js'

const { search, post, get, problemOf, fineTuned, outside } = await openSearchScene()
const loop = 'a soldier dies and wakes up on the day before, again and again'

describe.each(['anime', 'manga'])('the answer of /search/%s', (dataset) => {
  it('has the documented members, and by default five results of a hundred candidates', async () => {
    const answer = await search('', { query: notebook }, dataset)
    expect(Object.keys(answer)).toEqual([
      'results',
      'execution_time_ms',
      'device_used',
      'candidates_scored',
      'entries_total',
    ])
    expect(answer).toMatchObject({ device_used: 'cpu', candidates_scored: 100 })
    expect(answer.execution_time_ms).toBeGreaterThan(0)
    expect(answer.entries_total).toBeGreaterThan(100)
    expect(answer.results).toHaveLength(5)
  })

  it('is ordered by scores of 0 to 1, with synopses of 500 characters at most', async () => {
    const { results } = await search('', { query: notebook, num_results: 100 }, dataset)
    expect(results).toHaveLength(100)
    const scores = results.map(({ score }) => score)
    expect(scores).toEqual(scores.toSorted((a, b) => b - a))
    expect(new Set(results.map(({ id }) => id)).size).toBe(100)
    for (const result of results) {
      expect(Object.keys(result)).toEqual(['id', 'title', 'score', 'synopsis'])
      expect(Number.isInteger(result.id)).toBe(true)
      expect(result.score).toBeGreaterThanOrEqual(0)
      expect(result.score).toBeLessThanOrEqual(1)
      const { length } = Array.from(result.synopsis)
      expect(length > 500 ? [length, result.synopsis.at(-1)] : []).toEqual(
        length > 500 ? [501, '…'] : [],
      )
    }
    expect(results.some(({ synopsis }) => synopsis.endsWith('…'))).toBe(true)
  })
})

describe('model_name', () => {
  it.each(['builtin/maxsim-en', 'maxsim-en'])('%s is what answers by default', async (name) => {
    const named = await search(`?model_name=${name}`)
    expect(named.results).toEqual((await search()).results)
    expect(named.results[0]?.title).toBe('Death Note')
  })

  it('is a fine-tuned model by label or path, in both of the layouts in use', async () => {
    const byModel = new Map<string, Answer['results']>()
    for (const label of ['sound', 'older-layout']) {
      for (const name of [label, `models/fine-tuned/${label}`, join(fineTuned, label)]) {
        const { results, warnings } = await search(`?model_name=${encodeURIComponent(name)}`)
        expect(warnings).toBeUndefined()
        expect(results).toEqual(byModel.get(label) ?? results)
        byModel.set(label, results)
      }
    }
    const scoresOf = (label: string) => byModel.get(label)?.map(({ score }) => score)
    expect(scoresOf('sound')).not.toEqual(scoresOf('older-layout'))
  })

  it.each([
    ['', 'expected a model'],
    ['nothing', 'unknown model "nothing"; the nearest are '],
    ['builtin/static-en', 'that is a model of /searchmodel'],
    ['../outside', 'unknown model'],
    ['fine-tuned/../../outside', 'unknown model'],
    ['models/outside', 'unknown model'],
    [outside, 'unknown model'],
    ['leads-out', 'unknown model'],
    ['/etc', 'unknown model'],
    ['sound\0', 'unknown model'],
    ['three-labels', 'expected a model with one label'],
  ])('%j is refused', async (name, message) => {
    const path = `/search/anime?model_name=${encodeURIComponent(name)}`
    const response = await post(path, { query: notebook })
    // The message repeats the name, and so a folder that the request itself named.
    const { errors } = (await response.json()) as { errors: { path: string; message: string }[] }
    expect(response.status).toBe(400)
    expect(errors).toMatchObject([{ path: 'model_name' }])
    expect(errors[0]?.message).toContain(message)
  })

  it('that is listed but not here is reported as such', async () => {
    const response = await post('/search/anime?model_name=bge-reranker-base', { query: notebook })
    expect(await problemOf(response)).toMatchObject({ status: 404, kind: 'model-not-installed' })
  })

  it('whose network is broken fails each time, and costs the next request nothing', async () => {
    for (let attempt = 0; attempt < 2; attempt++) {
      const response = await post('/search/anime?model_name=broken', { query: notebook })
      expect(await problemOf(response)).toMatchObject({ status: 500, kind: 'model-load-failed' })
      expect((await search('?model_name=sound')).results).toHaveLength(5)
    }
  })
})

describe('the other parameters', () => {
  it.each(['', '&model_name=sound'])('device=cuda:7%s is answered by the CPU', async (model) => {
    const answer = await search(`?device=cuda:7${model}`)
    expect(answer.device_used).toBe('cpu')
    expect(answer.warnings).toEqual([expect.stringContaining('cuda:7')])
    expect(answer.results).toEqual((await search(model.replace('&', '?'))).results)
  })

  it('device=cpu needs no warning, and device=cuda says what was used', async () => {
    const onProcessor = await search('?device=cpu&model_name=sound')
    expect(onProcessor).toMatchObject({ device_used: 'cpu' })
    expect(onProcessor.warnings).toBeUndefined()
    const named = await search('?device=cuda&model_name=sound')
    expect([named.device_used, named.warnings !== undefined]).toEqual(
      named.device_used === 'cpu' ? ['cpu', true] : ['cuda:0', false],
    )
  })

  it.each([
    ['true', true],
    ['1', true],
    ['false', false],
    ['0', false],
    [undefined, false],
  ])('include_light_novels=%s of manga', async (value, isIncluded) => {
    const parameters = value === undefined ? '' : `?include_light_novels=${value}`
    const { results, entries_total } = await search(parameters, { query: loop }, 'manga')
    const { datasets } = (await get('/')) as unknown as HealthReport
    const entries = datasets.manga?.entries ?? 0
    expect(results.some(({ title }) => title === 'All You Need Is Kill')).toBe(isIncluded)
    expect(entries_total === entries).toBe(isIncluded)
    expect(entries_total).toBeGreaterThan(entries / 2)
  })

  it('candidates says how many are scored', async () => {
    const one = await search('?candidates=1', { query: notebook })
    expect(one).toMatchObject({ candidates_scored: 1 })
    expect(one.results.map(({ title }) => title)).toEqual(['Death Note'])
    for (const value of ['10000', 'all']) {
      const all = await search(`?candidates=${value}&model_name=sound`)
      expect(all.candidates_scored).toBe(all.entries_total)
    }
  })

  it.each([
    ['device', 'tpu'],
    ['device', 'cuda:'],
    ['device', ''],
    ['include_light_novels', 'maybe'],
    ['include_light_novels', ''],
    ['candidates', '0'],
    ['candidates', '10001'],
    ['candidates', '2.5'],
    ['candidates', 'some'],
  ])('%s=%s is refused', async (name, value) => {
    for (const dataset of ['anime', 'manga']) {
      const response = await post(`/search/${dataset}?${name}=${value}`, { query: notebook })
      const { status, kind, errors } = await problemOf(response)
      expect([status, kind]).toEqual([400, 'invalid-request'])
      expect(errors).toMatchObject([{ path: name }])
      expect(errors[0]?.message).toMatch(/^expected/)
    }
  })
})

describe('the body', () => {
  it.each([
    ['num_results', 1, 1],
    ['num_results', 100, 100],
    ['batch_size', 8, 5],
    ['batch_size', 512, 5],
    ['query', '😀'.repeat(2000), 5],
    ['query', 'q\0', 5],
  ])('%s may be %j', async (name, value, count) => {
    const { results } = await search('', { query: notebook, [name]: value })
    expect(results).toHaveLength(count)
  })

  it('says in Server-Timing how long the query was encoded and compared', async () => {
    const phasesOf = async (parameters: string) => {
      const response = await post(`/search/anime${parameters}`, { query: notebook })
      const header = response.headers.get('server-timing') ?? ''
      return Array.from(header.matchAll(/(\w+);dur=[\d.]+/g), ([, name]) => name)
    }
    const others = ['rank', 'rerank', 'hydrate', 'total', 'request']
    expect(await phasesOf('')).toEqual(['queue', 'tokenize', 'infer', 'scan', ...others])
    // Every entry is a candidate: no vectors are compared to pick any.
    expect(await phasesOf('?candidates=all')).toEqual(others)
  })

  it('decides by batch_size how much is scored at once, not what comes out', async () => {
    const small = await search('?model_name=sound', { query: notebook, batch_size: 8 })
    const large = await search('?model_name=sound', { query: notebook, batch_size: 512 })
    expect(small.results.map(({ id }) => id)).toEqual(large.results.map(({ id }) => id))
  })

  it.each([
    ['query', undefined],
    ['query', null],
    ['query', 5],
    ['query', ''],
    ['query', ' \n\t'],
    ['query', 'x'.repeat(2001)],
    ['num_results', 0],
    ['num_results', 101],
    ['num_results', 2.5],
    ['num_results', '5'],
    ['num_results', null],
    ['batch_size', 7],
    ['batch_size', 513],
    ['batch_size', 32.5],
    ['batch_size', true],
  ])('%s may not be %j', async (name, value) => {
    const response = await post('/search/anime', { query: notebook, [name]: value })
    const { status, kind, errors } = await problemOf(response)
    expect([status, kind]).toEqual([400, 'invalid-request'])
    expect(errors).toMatchObject([{ path: name }])
  })

  it('gets all of its problems at once, with those of the parameters', async () => {
    const parameters = '?device=tpu&include_light_novels=maybe&candidates=0&model_name='
    const response = await post(`/search/manga${parameters}`, { num_results: 0, batch_size: 7 })
    const { errors } = await problemOf(response)
    expect(errors.map(({ path }) => path).toSorted()).toEqual(
      ['batch_size', 'candidates', 'device', 'include_light_novels', 'model_name', 'num_results']
        .concat('query')
        .toSorted(),
    )
  })

  it.each([
    ['nothing', ''],
    ['no JSON', '{"query":'],
    ['null', 'null'],
    ['a text', '"notebook"'],
    ['a list', '[{"query": "notebook"}]'],
    ['no UTF-8', Uint8Array.of(0x7b, 0xff, 0x7d)],
  ])('is refused where it is %s', async (_, body) => {
    const { status, kind } = await problemOf(await post('/search/anime', body))
    expect([status, kind]).toEqual([400, 'invalid-request'])
  })

  it('may be as large as the documented lists', async () => {
    const exclude = Array.from({ length: 20_000 }, (_, i) => 1_000_000 + i)
    const response = await post('/search/anime', { query: notebook, exclude })
    expect(response.status).toBe(200)
    const queries = Array.from({ length: 64 }, () => '夜'.repeat(2000))
    expect((await post('/search/anime', { queries })).status).toBe(200)
  })

  it('is refused by its size and by its type', async () => {
    const large = await post('/search/anime', { query: notebook, padding: 'x'.repeat(2 ** 20) })
    expect(await problemOf(large)).toMatchObject({ status: 413, kind: 'payload-too-large' })
    const form = await post('/search/anime', 'query=a', { 'content-type': 'text/plain' })
    expect(await problemOf(form)).toMatchObject({ status: 415, kind: 'unsupported-media-type' })
    const packed = await post('/search/anime', '{}', { 'content-encoding': 'gzip' })
    expect(await problemOf(packed)).toMatchObject({ status: 415 })
  })
})
