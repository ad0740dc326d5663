import { describe, expect, it } from 'vitest'
import type { ProblemBody } from '#synoptic/server/problems/problem.js'
import { createWorld } from '../search/world.js'
import { createTestApp, post } from './harness.js'
import { WordRanker } from './word-ranker.js'

const paths = ['/search/anime', '/search/manga'] as const
const question = { query: 'a robot goes to school in the rain' }

interface Answer {
  readonly results: readonly { id: number; title: string; score: number; synopsis: string }[]
  readonly execution_time_ms: number
  readonly device_used: string
  readonly candidates_scored: number
  readonly entries_total: number
  readonly warnings?: readonly string[]
}

const { catalogue } = createWorld()
const ranker = new WordRanker(catalogue)
const test = createTestApp({}, { rankedSearch: ranker })
const lastQuery = () => ranker.received.at(-1)

async function problemsOf(response: Response): Promise<ProblemBody> {
  expect(response.headers.get('content-type')).toBe('application/problem+json')
  return (await response.json()) as ProblemBody
}

describe.each(paths)('POST %s', (path) => {
  const answerOf = async (query: string, body: unknown = question) => {
    const response = await post(test, `${path}${query}`, body)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/json')
    return (await response.json()) as Answer
  }
  const dataset = path.slice('/search/'.length)

  it('answers entries by score', async () => {
    const answer = await answerOf('')
    expect(Object.keys(answer)).toEqual([
      'results',
      'execution_time_ms',
      'device_used',
      'candidates_scored',
      'entries_total',
    ])
    expect(answer.results).toHaveLength(5)
    for (const result of answer.results) {
      expect(Object.keys(result)).toEqual(['id', 'title', 'score', 'synopsis'])
    }
    const scores = answer.results.map(({ score }) => score)
    expect(scores).toEqual(scores.toSorted((a, b) => b - a))
    expect(answer.execution_time_ms).toBeGreaterThan(0)
    expect(answer.device_used).toBe('cpu')
  })

  it('requests the default where nothing is said', async () => {
    await answerOf('')
    expect(lastQuery()).toEqual({
      dataset,
      query: question.query,
      numResults: 5,
      batchSize: 32,
      candidates: 100,
      includeLightNovels: false,
      filter: { adult: false },
      interpret: true,
      explain: false,
      excludeListed: false,
      spoilers: false,
      sort: { by: 'fit' },
      facets: undefined,
      model: undefined,
      device: undefined,
    })
  })

  it('passes on everything that is said', async () => {
    await answerOf(
      '?model_name=words&device=cuda:1&include_light_novels=true&candidates=all&excludeListed=true',
      {
        query: '  robot \n',
        num_results: 100,
        batch_size: 512,
        type: 'Light Novel',
        genres: { any: ['Drama'] },
        tags: { all: ['Time Loop'] },
        yearFrom: 1990,
        yearTo: 2000,
        minScore: 7.5,
        adult: true,
        interpret: false,
        explain: true,
        ignore: [[0, 5]],
        group: 'franchise',
        page: 3,
        fields: 'all',
      },
    )
    expect(lastQuery()).toEqual({
      dataset,
      query: 'robot',
      numResults: 100,
      batchSize: 512,
      candidates: 'all',
      includeLightNovels: true,
      filter: {
        types: ['light_novel'],
        genres: { any: ['Drama'] },
        tags: { all: ['time-loop'] },
        yearFrom: 1990,
        yearTo: 2000,
        minScore: 7.5,
      },
      interpret: false,
      ignore: [{ begin: 0, end: 5 }],
      group: 'franchise',
      explain: true,
      page: 3,
      excludeListed: true,
      spoilers: false,
      sort: { by: 'fit' },
      facets: undefined,
      model: 'words',
      device: 'cuda:1',
    })
  })

  it.each([
    ['include_light_novels', 'true', { includeLightNovels: true }],
    ['include_light_novels', 'True', { includeLightNovels: true }],
    ['include_light_novels', '1', { includeLightNovels: true }],
    ['include_light_novels', 'false', { includeLightNovels: false }],
    ['include_light_novels', 'False', { includeLightNovels: false }],
    ['include_light_novels', '0', { includeLightNovels: false }],
    ['candidates', '1', { candidates: 1 }],
    ['candidates', '10000', { candidates: 10_000 }],
    ['candidates', 'all', { candidates: 'all' }],
    ['device', 'cpu', { device: 'cpu' }],
    ['device', 'cuda', { device: 'cuda' }],
    ['device', 'cuda:0', { device: 'cuda:0' }],
    ['model_name', 'words', { model: 'words' }],
  ])('takes %s=%s', async (name, value, expected) => {
    await answerOf(`?${name}=${value}`)
    expect(lastQuery()).toMatchObject(expected)
  })

  it.each([
    ['num_results', 1],
    ['num_results', 100],
    ['batch_size', 8],
    ['batch_size', 512],
    ['query', 'x'.repeat(2000)],
    ['query', ` ${'x'.repeat(2000)}\n`],
  ])('takes the %s %j', async (name, value) => {
    await answerOf('', { ...question, [name]: value })
  })

  it('says what it did otherwise than requested', async () => {
    const answer = await answerOf('?device=cuda')
    expect(answer.device_used).toBe('cpu')
    expect(answer.warnings).toEqual(['There is no cuda; the CPU answered.'])
  })

  it.each([
    ['device', 'gpu', 'expected cpu, cuda or cuda:N, received "gpu"'],
    ['device', '', 'expected cpu, cuda or cuda:N, received ""'],
    ['device', 'CUDA', 'expected cpu, cuda or cuda:N, received "CUDA"'],
    ['device', 'cuda:', 'expected cpu, cuda or cuda:N, received "cuda:"'],
    ['device', 'cuda:-1', 'expected cpu, cuda or cuda:N, received "cuda:-1"'],
    ['device', 'cuda:1x', 'expected cpu, cuda or cuda:N, received "cuda:1x"'],
    ['device', 'cuda%0A', 'expected cpu, cuda or cuda:N, received "cuda\\n"'],
    ['device', 'cpu&device=cuda', 'expected cpu, cuda or cuda:N, received an array'],
    ['include_light_novels', 'yes', 'expected true, false, 1 or 0, received "yes"'],
    ['include_light_novels', '', 'expected true, false, 1 or 0, received ""'],
    ['include_light_novels', '2', 'expected true, false, 1 or 0, received "2"'],
    ['include_light_novels', 'null', 'expected true, false, 1 or 0, received "null"'],
    ['include_light_novels', 'constructor', 'expected true, false, 1 or 0, received "constructor"'],
    [
      'include_light_novels',
      'true&include_light_novels=false',
      'expected true, false, 1 or 0, received an array',
    ],
    ['candidates', '0', 'expected an integer from 1 to 10000, or all, received 0'],
    ['candidates', '-5', 'expected an integer from 1 to 10000, or all, received "-5"'],
    ['candidates', '10001', 'expected an integer from 1 to 10000, or all, received 10001'],
    ['candidates', '1.5', 'expected an integer from 1 to 10000, or all, received "1.5"'],
    ['candidates', '1e3', 'expected an integer from 1 to 10000, or all, received "1e3"'],
    ['candidates', '0x10', 'expected an integer from 1 to 10000, or all, received "0x10"'],
    ['candidates', '%20100', 'expected an integer from 1 to 10000, or all, received " 100"'],
    [
      'candidates',
      '99999999999999999999',
      'expected an integer from 1 to 10000, or all, received 100000000000000000000',
    ],
    ['candidates', 'ALL', 'expected an integer from 1 to 10000, or all, received "ALL"'],
    ['candidates', '', 'expected an integer from 1 to 10000, or all, received ""'],
    ['model_name', '', 'expected a model that GET /models lists, received none'],
    ['model_name', 'a&model_name=b', 'expected one model, received an array'],
    ['model_name', 'gpt', 'expected words'],
  ])('refuses %s=%s', async (name, value, message) => {
    const response = await post(test, `${path}?${name}=${value}`, question)
    expect(response.status).toBe(400)
    const { type, errors } = await problemsOf(response)
    expect(type).toBe('urn:synoptic:problem:invalid-request')
    expect(errors).toEqual([{ path: name, message }])
  })

  it.each([
    ['no query', { query: undefined }, 'query', 'required'],
    ['an empty query', { query: '' }, 'query', 'it is empty'],
    ['a blank query', { query: ' \u3000\n\t' }, 'query', 'it is empty'],
    ['2001 characters', { query: 'x'.repeat(2001) }, 'query', 'it has 2,001'],
    ['a query that is an array', { query: ['x'] }, 'query', 'an array'],
    ['a query that is a number', { query: 7 }, 'query', 'received 7'],
    ['a query that is null', { query: null }, 'query', 'received null'],
    ['num_results 0', { num_results: 0 }, 'num_results', 'from 1 to 100, received 0'],
    ['num_results 101', { num_results: 101 }, 'num_results', 'from 1 to 100, received 101'],
    ['num_results -1', { num_results: -1 }, 'num_results', 'received -1'],
    ['num_results 1.5', { num_results: 1.5 }, 'num_results', 'received 1.5'],
    ['num_results "5"', { num_results: '5' }, 'num_results', 'received a string'],
    ['num_results null', { num_results: null }, 'num_results', 'received null'],
    ['num_results true', { num_results: true }, 'num_results', 'received true'],
    ['batch_size 7', { batch_size: 7 }, 'batch_size', 'from 8 to 512, received 7'],
    ['batch_size 513', { batch_size: 513 }, 'batch_size', 'from 8 to 512, received 513'],
    ['batch_size 32.5', { batch_size: 32.5 }, 'batch_size', 'received 32.5'],
    ['batch_size "32"', { batch_size: '32' }, 'batch_size', 'received a string'],
    ['batch_size {}', { batch_size: {} }, 'batch_size', 'received an object'],
  ])('refuses %s', async (_, change, member, expected) => {
    const response = await post(test, path, { ...question, ...change })
    expect(response.status).toBe(400)
    const { errors } = await problemsOf(response)
    expect(errors).toHaveLength(1)
    expect(errors[0]).toMatchObject({ path: member })
    expect(errors[0]?.message).toContain(expected)
  })

  it('reports the problems of query and body at once', async () => {
    const response = await post(test, `${path}?device=gpu&candidates=0`, { num_results: 0 })
    expect(response.status).toBe(400)
    const { errors } = await problemsOf(response)
    expect(errors.map(({ path }) => path)).toEqual(['device', 'candidates', 'query', 'num_results'])
  })

  it.each([
    ['nothing', '', 'received nothing'],
    ['text that is no JSON', '{"query": secret', 'expected JSON'],
    ['a comma too many', '{"query": "secret",}', 'received something else at position 19'],
    ['an array', '[]', 'a JSON object, received an array'],
    ['null', 'null', 'a JSON object, received null'],
  ])('refuses %s as the body', async (_, body, expected) => {
    const response = await post(test, path, body)
    expect(response.status).toBe(400)
    const { detail } = await problemsOf(response)
    expect(detail).toContain(expected)
    expect(detail).not.toContain('secret')
  })

  it.each([
    ['no content type', {}, 415],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
    ['text', { 'content-type': 'text/plain' }, 415],
    ['a compressed body', { 'content-type': 'application/json', 'content-encoding': 'gzip' }, 415],
  ])('refuses %s before the query is judged', async (_, headers, status) => {
    const response = await test.app.request(`${path}?device=gpu`, {
      method: 'POST',
      body: new Blob([JSON.stringify(question)]),
      headers: { ...headers },
    })
    expect(response.status).toBe(status)
  })

  it('refuses a body that is too large', async () => {
    const response = await post(test, path, { ...question, padding: 'x'.repeat(2 ** 20) })
    expect(response.status).toBe(413)
  })

  it.each(['GET', 'PUT', 'DELETE'])('refuses %s', async (method) => {
    const response = await test.app.request(path, { method })
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('POST, OPTIONS')
  })
})
