/**
 * The clients of the registries, as people use them, against a server that the command started. They lie in
 * the folder that SYNOPTIC_TEST_CLIENTS names.
 */
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Embeddings, openV1Scene, vectorsOf } from './scene.js'

const clients = process.env.SYNOPTIC_TEST_CLIENTS
const has = (name: string) =>
  clients !== undefined && existsSync(join(clients, 'node_modules', ...name.split('/')))
const load = (name: string): unknown =>
  createRequire(join(resolve(clients ?? '.'), 'package.json'))(name)
if (clients === undefined) console.warn('skipped: no clients; set SYNOPTIC_TEST_CLIENTS')

// Where all tests are skipped, nothing would stop its server.
const scene = clients === undefined ? undefined : await openV1Scene(['--v1-max-inputs', '300'])
const { origin, post, json } = scene ?? ({} as Awaited<ReturnType<typeof openV1Scene>>)
const model = 'builtin/static-en'
const texts = ['a robot goes to school', 'a ship at sea']
const reference =
  scene === undefined
    ? []
    : vectorsOf(await json<Embeddings>(post('/v1/embeddings', { model, input: texts })))

/** To the precision of float32. */
const expectVectors = (vectors: readonly (readonly number[])[], expected = reference) =>
  expect(vectors.map((vector) => vector.map(Math.fround))).toEqual(
    expected.map((vector) => vector.map(Math.fround)),
  )

async function errorOf<T>(promise: Promise<unknown>): Promise<T> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(Error)
  return error as T
}

describe.skipIf(!has('openai'))('openai', () => {
  interface OpenAi {
    readonly embeddings: {
      create(body: object): Promise<{
        data: { embedding: number[] }[]
        usage: { prompt_tokens: number }
      }>
    }
    readonly models: {
      list(): Promise<AsyncIterable<{ id: string }>>
      retrieve(id: string): Promise<{ id: string; object: string }>
    }
  }
  const { OpenAI } = has('openai')
    ? (load('openai') as { OpenAI: new (options: object) => OpenAi })
    : { OpenAI: undefined }
  const open = (more = {}) => {
    if (OpenAI === undefined) throw new Error('there is no client')
    return new OpenAI({ baseURL: `${origin}/v1`, apiKey: 'none', maxRetries: 0, ...more })
  }

  it('has vectors, by its own encoding and by each that it can use', async () => {
    for (const format of [{}, { encoding_format: 'float' }, { encoding_format: 'base64' }]) {
      const { data, usage } = await open().embeddings.create({ model, input: texts, ...format })
      expect(usage.prompt_tokens).toBe(9)
      if ('encoding_format' in format && format.encoding_format === 'base64') {
        expect(typeof data[0]?.embedding).toBe('string')
      } else expectVectors(data.map(({ embedding }) => embedding))
    }
  })

  it('lists models and retrieves one whose name has a slash', async () => {
    const ids: string[] = []
    for await (const { id } of await open().models.list()) ids.push(id)
    expect(ids).toContain(model)
    expect(await open().models.retrieve(model)).toMatchObject({ id: model, object: 'model' })
  })

  it('makes its own errors of those of the server', async () => {
    type ApiError = Error & { status: number; code: string; param: string; type: string }
    const missing = open().embeddings.create({ model: 'text-embedding-3-small', input: 'a' })
    const notFound = await errorOf<ApiError>(missing)
    expect(notFound.constructor.name).toBe('NotFoundError')
    expect(notFound).toMatchObject({
      status: 404,
      code: 'model_not_found',
      param: 'model',
      type: 'invalid_request_error',
    })
    const short = open().embeddings.create({ model, input: 'a', dimensions: 8 })
    expect(await errorOf<ApiError>(short)).toMatchObject({ status: 400, param: 'dimensions' })
    const many = open().embeddings.create({ model, input: Array(10_000).fill('a') })
    const refused = await errorOf<ApiError>(many)
    expect(refused).toMatchObject({ status: 413, code: 'too_many_inputs' })
    expect(refused.message).toContain('at most 300 texts')
  })
})

describe.skipIf(!has('@langchain/openai'))('@langchain/openai', () => {
  it('embeds documents and a query', async () => {
    const { OpenAIEmbeddings } = load('@langchain/openai') as {
      OpenAIEmbeddings: new (options: object) => {
        embedDocuments(texts: readonly string[]): Promise<number[][]>
        embedQuery(text: string): Promise<number[]>
      }
    }
    const embeddings = new OpenAIEmbeddings({
      model,
      apiKey: 'none',
      batchSize: 1,
      configuration: { baseURL: `${origin}/v1` },
    })
    expectVectors(await embeddings.embedDocuments(texts))
    expectVectors([await embeddings.embedQuery(texts[0] ?? '')], reference.slice(0, 1))
  })
})

describe.skipIf(!has('cohere-ai'))('cohere-ai', () => {
  interface Reranked {
    readonly results: readonly { index: number; relevanceScore: number; document?: object }[]
  }
  interface Cohere {
    rerank(request: object): Promise<Reranked>
    readonly v2: { rerank(request: object): Promise<Reranked> }
  }
  const open = () => {
    const { CohereClient } = load('cohere-ai') as {
      CohereClient: new (options: object) => Cohere
    }
    return new CohereClient({ environment: origin, token: 'none' })
  }
  const request = {
    model: 'builtin/maxsim-en',
    query: 'a robot at school',
    documents: ['A ship is lost at sea.', 'A robot becomes a pupil of a school.'],
  }

  it('reranks by version 1, with documents', async () => {
    const { results } = await open().rerank({ ...request, topN: 1, returnDocuments: true })
    expect(results).toMatchObject([{ index: 1, document: { text: request.documents[1] } }])
  })

  it('reranks objects by their fields', async () => {
    const documents = [{ plot: request.documents[1] }, { plot: request.documents[0] }]
    const { results } = await open().rerank({ ...request, documents, rankFields: ['plot'] })
    expect(results.map(({ index }) => index)).toEqual([0, 1])
  })

  it('reranks by version 2', async () => {
    const { results } = await open().v2.rerank(request)
    expect(results.map(({ index }) => index)).toEqual([1, 0])
    expect(results[0]?.relevanceScore).toBeGreaterThan(results[1]?.relevanceScore ?? 1)
  })

  it('reports what is wrong', async () => {
    const promise = open().v2.rerank({ ...request, model: 'rerank-v3.5' })
    const error = await errorOf<Error & { statusCode: number; body: object }>(promise)
    expect(error.statusCode).toBe(404)
    expect(error.body).toMatchObject({ message: expect.stringContaining('rerank-v3.5') as string })
  })
})

describe.skipIf(!has('@huggingface/inference'))('@huggingface/inference', () => {
  interface Hub {
    featureExtraction(request: object): Promise<number[][]>
    sentenceSimilarity(request: object): Promise<number[]>
  }
  const open = () => {
    const { InferenceClient } = load('@huggingface/inference') as {
      InferenceClient: new () => Hub
    }
    return new InferenceClient()
  }

  it('extracts features at a custom endpoint', async () => {
    const endpointUrl = `${origin}/embed`
    expectVectors(await open().featureExtraction({ endpointUrl, inputs: texts }))
  })

  it('compares sentences at a custom endpoint', async () => {
    const inputs = { source_sentence: texts[0], sentences: texts }
    const endpointUrl = `${origin}/similarity`
    const [same = 0, other = 1] = await open().sentenceSimilarity({ endpointUrl, inputs })
    expect(same).toBeCloseTo(1, 5)
    expect(other).toBeLessThan(0.9)
  })

  it('reports what is wrong', async () => {
    const promise = open().featureExtraction({ endpointUrl: `${origin}/embed`, inputs: [] })
    expect(await errorOf<Error>(promise)).toMatchObject({
      message: expect.stringContaining('expected at least one text') as string,
    })
  })
})
