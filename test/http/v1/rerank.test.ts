/** POST /v1/rerank and /v2/rerank over a socket, in the shapes of Cohere and Jina. */
import { describe, expect, it } from 'vitest'
import { openCross, fixtures } from '../../encoders/cross-models.js'
import { join } from 'node:path'
import { sharedV1Scene } from './scene.js'

const { post, get, json, folder } = await sharedV1Scene()

interface Reranked {
  readonly id: string
  readonly model: string
  readonly results: readonly {
    readonly index: number
    readonly relevance_score: number
    readonly document?: Readonly<Record<string, unknown>>
  }[]
  readonly meta: object
  readonly usage: { readonly total_tokens: number }
}

const query = 'a robot goes to school'
const documents = [
  'A ship is lost at sea in a storm.',
  'An android becomes a pupil of a school for humans.',
  'A robot goes to school.',
]
const rerank = (body: object, path = '/v2/rerank') =>
  json<Reranked>(post(path, { query, documents, ...body }))

async function errorOf(response: Promise<Response>, status: number): Promise<string> {
  const answer = await response
  const text = await answer.text()
  expect(answer.status, text).toBe(status)
  expect(text).not.toContain(folder)
  const body = JSON.parse(text) as Record<string, string>
  expect(Object.keys(body)).toEqual(['id', 'message'])
  expect(body.id).toBe(answer.headers.get('x-request-id'))
  return body.message ?? ''
}

describe.each(['/v1/rerank', '/v2/rerank'])('%s', (path) => {
  it('puts the documents in order', async () => {
    const answer = await rerank({}, path)
    expect(answer.model).toBe('builtin/maxsim-en')
    expect(answer.results.map(({ index }) => index)).toEqual([2, 1, 0])
    for (const result of answer.results) {
      expect(Object.keys(result)).toEqual(['index', 'relevance_score'])
      expect(result.relevance_score).toBeGreaterThan(0)
      expect(result.relevance_score).toBeLessThan(1)
    }
    expect(answer.usage.total_tokens).toBeGreaterThan(20)
    expect(answer.meta).toMatchObject({ api_version: { version: path.slice(2, 3) } })
  })

  it('returns the best alone, with their documents, where that is requested', async () => {
    const { results } = await rerank({ top_n: 2, return_documents: true }, path)
    expect(results.map(({ index, document }) => [index, document])).toEqual([
      [2, { text: documents[2] }],
      [1, { text: documents[1] }],
    ])
    expect((await rerank({ top_n: 100 }, path)).results).toHaveLength(3)
  })
})

describe('documents', () => {
  it('may be objects with a text', async () => {
    const objects = documents.map((text, id) => ({ text, id }))
    const { results } = await rerank({ documents: objects, return_documents: true })
    expect(results.map(({ document }) => document)).toEqual([objects[2], objects[1], objects[0]])
    const plain = await rerank({})
    expect(results.map(({ relevance_score }) => relevance_score)).toEqual(
      plain.results.map(({ relevance_score }) => relevance_score),
    )
  })

  it('are read by the fields that rank_fields names, in its order', async () => {
    const objects = [
      { title: 'A ship', plot: 'is lost at sea.', text: query },
      { title: 'A robot goes', plot: 'to school.', text: 'nothing of it' },
    ]
    const { results } = await rerank({ documents: objects, rank_fields: ['title', 'plot'] })
    const joined = await rerank({
      documents: ['A ship\nis lost at sea.', 'A robot goes\nto school.'],
    })
    expect(results).toEqual(joined.results)
    expect(results[0]?.index).toBe(1)
  })

  it('do not change the scores of the others', async () => {
    const all = await rerank({})
    for (const { index, relevance_score } of all.results) {
      const alone = await rerank({ documents: [documents[index]] })
      expect(alone.results).toEqual([{ index: 0, relevance_score }])
    }
  })

  it('that are equal keep their order', async () => {
    const { results } = await rerank({ documents: ['a ship', 'a robot', 'a ship', 'a robot'] })
    expect(results.map(({ index }) => index)).toEqual([1, 3, 0, 2])
  })

  it('without a word of the language score low and are no error', async () => {
    const { results } = await rerank({ documents: ['?!', query, '…'] })
    expect(results[0]?.index).toBe(1)
    expect(results[2]?.relevance_score).toBeLessThan(0.01)
  })

  it.each([
    [{ documents: [] }, 'documents: expected at least one document'],
    [{ documents: 'text' }, 'documents: expected a list of documents'],
    [{ documents: ['a', 5] }, 'documents.1: expected a text or an object with texts, received 5'],
    [{ documents: ['a', ''] }, 'documents.1: expected a text, received an empty one'],
    [{ documents: [{ title: 'a' }] }, 'documents.0: expected a text in text'],
    [{ documents: [{ text: 5 }] }, 'documents.0: expected a text in text'],
    [{ documents: [{ text: 'a' }], rank_fields: ['plot'] }, 'documents.0: expected a text in plot'],
    [{ rank_fields: 'text' }, 'rank_fields: expected a list of names'],
    [{ query: '' }, 'query: expected a text, received an empty one'],
    [{ query: 5 }, 'query: expected text, received 5'],
    [{ top_n: 0 }, 'top_n: expected an integer from 1, received 0'],
    [{ return_documents: 'yes' }, 'return_documents: expected true or false'],
    [{ model: 7 }, 'model: expected text, received 7'],
  ])('%j is refused', async (body, message) => {
    const response = post('/v2/rerank', { query, documents, ...body })
    expect(await errorOf(response, 400)).toContain(message)
  })

  it('that are too many are refused with the limit', async () => {
    const many = Array.from({ length: 10_000 }, () => 'a')
    const message = await errorOf(post('/v1/rerank', { query, documents: many }), 413)
    expect(message).toContain('documents: expected at most 100 texts')
    expect(message).toContain('--v1-max-inputs')
  })
})

describe('the model', () => {
  it('may be a cross-encoder, whose scores are its own', async () => {
    const { model, results, usage } = await rerank({ model: 'own/pairs' })
    expect(model).toBe('own/pairs')
    const encoder = await openCross(join(fixtures, 'bert'))
    const { scores, tokens } = await encoder.score(query, documents, { batchSize: 32 })
    const order = results.map(({ index }) => index)
    expect(order.toSorted((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0))).toEqual(order)
    for (const { index, relevance_score } of results) {
      expect(relevance_score).toBeCloseTo(scores[index] ?? NaN, 5)
    }
    expect(usage.total_tokens).toBe(tokens)
    expect((await rerank({ model: 'pairs' })).results).toEqual(results)
  })

  it.each(['maxsim-en', 'builtin/maxsim-en', null])('%s is the built-in ranker', async (model) => {
    expect((await rerank({ model })).model).toBe('builtin/maxsim-en')
  })

  it.each([
    'rerank-v3.5',
    'own/absent',
    'BAAI/bge-reranker-base',
    'builtin/static-en',
    '../own/pairs',
  ])('%s is not found', async (model) => {
    await errorOf(post('/v2/rerank', { model, query, documents }), 404)
  })

  it('with three labels is no ranker', async () => {
    const response = post('/v2/rerank', { model: 'three-labels', query, documents })
    expect(await errorOf(response, 400)).toContain('expected a model with one label')
  })
})

it('reports every other error in the same shape', async () => {
  await errorOf(post('/v1/rerank', '{'), 400)
  await errorOf(get('/v2/rerank'), 405)
  await errorOf(post('/v1/rerank', '{}', { 'content-type': 'text/plain' }), 415)
})
