/** POST /v1/embed and /v2/embed over a socket, in the shapes of Cohere. */
import { describe, expect, it } from 'vitest'
import { type Embeddings, openV1Scene, vectorsOf } from './scene.js'

const { post, json, get } = await openV1Scene([
  '--v1-max-inputs',
  '100',
  '--model-alias',
  'embed-english-v3.0=builtin/static-en,rerank-v3.5=builtin/maxsim-en',
])
const texts = ['a robot goes to school', 'a ship']
const own = vectorsOf(await json<Embeddings>(post('/v1/embeddings', { input: texts })))

interface Answer {
  readonly embeddings: unknown
  readonly texts: readonly string[]
  readonly meta: { readonly billed_units: { readonly input_tokens: number } }
  readonly response_type: string
}

it('/v2/embed answers vectors by type', async () => {
  const answer = await json<Answer>(
    post('/v2/embed', { texts, input_type: 'search_document', embedding_types: ['float'] }),
  )
  expect(answer).toMatchObject({
    embeddings: { float: own },
    texts,
    meta: { api_version: { version: '2' }, billed_units: { input_tokens: 7 } },
    response_type: 'embeddings_by_type',
  })
  const { embeddings } = await json<{ embeddings: { base64: string[] } }>(
    post('/v2/embed', { texts, embedding_types: ['base64'] }),
  )
  const bytes = Buffer.from(embeddings.base64[1] ?? '', 'base64')
  const floats = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4)
  expect([...floats]).toEqual(own[1]?.map(Math.fround))
})

it('/v1/embed answers a plain list without types', async () => {
  const plain = await json<Answer>(post('/v1/embed', { texts }))
  expect(plain).toMatchObject({ embeddings: own, response_type: 'embeddings_floats' })
  const typed = await json<Answer>(post('/v1/embed', { texts, embedding_types: ['float'] }))
  expect(typed).toMatchObject({ embeddings: { float: own }, response_type: 'embeddings_by_type' })
})

it('input_type chooses the prompt of that purpose', async () => {
  const vectorOf = async (body: object) => {
    const request = { model: 'own/published', ...body }
    return (await json<{ embeddings: { float: number[][] } }>(post('/v2/embed', request)))
      .embeddings.float[0]
  }
  const query = await vectorOf({ texts: ['sea'], input_type: 'search_query' })
  expect(query).toEqual(await vectorOf({ texts: ['ship at sea'], input_type: 'search_document' }))
  expect(query).not.toEqual(await vectorOf({ texts: ['sea'], input_type: 'search_document' }))
  expect(await vectorOf({ texts: ['sea'], input_type: 'clustering' })).toEqual(
    await vectorOf({ texts: ['sea'] }),
  )
})

it('truncate cuts either end', async () => {
  const long = `${'robot '.repeat(600)}${'ship '.repeat(600)}`
  const start = await json<Answer>(post('/v1/embed', { texts: [long], truncate: 'START' }))
  const ship = await json<Answer>(post('/v1/embed', { texts: ['ship '.repeat(600)] }))
  expect(start.embeddings).toEqual(ship.embeddings)
  const refused = await post('/v1/embed', { texts: [long], truncate: 'NONE' })
  expect(refused.status).toBe(400)
})

describe.each(['/v1/embed', '/v2/embed'])('%s', (path) => {
  it.each([
    [{}, 400, 'texts: required'],
    [{ texts: [] }, 400, 'at least one text'],
    [{ texts: ['a', ' '] }, 400, 'texts: number 1'],
    [{ texts: ['a'], truncate: 'LEFT' }, 400, 'truncate: expected NONE, START or END'],
    [{ texts: ['a'], input_type: 'query' }, 400, 'input_type: expected search_query'],
    [{ texts: ['a'], input_type: 'image' }, 422, 'input_type: expected the purpose of texts'],
    [{ texts: ['a'], images: ['data:'] }, 422, 'images: expected null'],
    [{ texts: ['a'], embedding_types: ['int8'] }, 422, 'embedding_types.0: expected float'],
    [{ texts: ['a'], embedding_types: 'float' }, 400, 'embedding_types: expected a list'],
    [{ texts: ['a'], output_dimension: 3 }, 400, 'expected 256'],
    [{ texts: ['a'], model: 'none' }, 404, 'unknown model "none"'],
    [{ texts: Array(101).fill('a') }, 413, 'texts: expected at most 100 texts'],
  ])('refuses %j', async (body, status, message) => {
    const answer = await post(path, body)
    const error = (await answer.json()) as Record<string, string>
    expect(answer.status, error.message).toBe(status)
    expect(Object.keys(error)).toEqual(['id', 'message'])
    expect(error.message).toContain(message)
  })
})

it('an alias names its model, and is listed', async () => {
  const model = 'embed-english-v3.0'
  const answer = await json<Answer>(post('/v2/embed', { model, texts }))
  expect(answer.embeddings).toEqual({ float: own })
  const { data } = await json<{ data: { id: string; capabilities: string[] }[] }>(get('/v1/models'))
  expect(data).toContainEqual(expect.objectContaining({ id: model, capabilities: ['embed'] }))
  expect(await json(get(`/v1/models/${model}`))).toMatchObject({ id: model })
  const ranked = await post('/v2/rerank', { model: 'rerank-v3.5', query: 'a', documents: ['b'] })
  expect(ranked.status).toBe(200)
  expect(await json(get('/v1/models/rerank-v3.5'))).toMatchObject({ capabilities: ['rerank'] })
})
