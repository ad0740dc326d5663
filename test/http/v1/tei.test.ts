/** POST /embed and /, /rerank, /similarity, /tokenize and GET /info and /health over a socket, in the shapes of text-embeddings-inference. */
import { describe, expect, it } from 'vitest'
import { type Embeddings, lengthOf, sharedV1Scene, vectorsOf } from './scene.js'

const { post, get, json, folder } = await sharedV1Scene()

async function errorOf(response: Promise<Response>, status: number) {
  const answer = await response
  const text = await answer.text()
  expect(answer.status, text).toBe(status)
  expect(text).not.toContain(folder)
  const body = JSON.parse(text) as Record<string, string>
  expect(Object.keys(body)).toEqual(['error', 'error_type'])
  return body
}

const long = 'ship '.repeat(600)

describe('/embed', () => {
  const embed = (body: object) => json<number[][]>(post('/embed', body))

  it('answers a list of vectors, those of /v1/embeddings', async () => {
    const input = ['a robot goes to school', 'a ship']
    const vectors = await embed({ inputs: input })
    expect(vectors).toEqual(vectorsOf(await json<Embeddings>(post('/v1/embeddings', { input }))))
    expect(await embed({ inputs: input[0] })).toEqual(vectors.slice(0, 1))
    expect(await embed({ inputs: [[101, 1037, 8957, 102]] })).toEqual(
      await embed({ inputs: 'a robot' }),
    )
  })

  it('normalizes unless that is not wanted', async () => {
    // This model's own vectors have any length.
    const ask = { model: 'own/nesting', inputs: 'alpha beta' }
    const [scaled = []] = await embed(ask)
    expect(lengthOf(scaled)).toBeCloseTo(1, 5)
    const [plain = []] = await embed({ ...ask, normalize: false })
    plain.forEach((value, i) => expect(value / lengthOf(plain)).toBeCloseTo(scaled[i] ?? NaN, 5))
    expect((await embed({ ...ask, dimensions: 4 }))[0]).toHaveLength(4)
  })

  it('cuts long texts, or refuses them where that is wanted', async () => {
    expect(await embed({ inputs: long })).toHaveLength(1)
    const body = await errorOf(post('/embed', { inputs: ['ship', long], truncate: false }), 400)
    expect(body).toMatchObject({ error_type: 'Validation' })
    expect(body.error).toContain('1 are longer')
  })

  it('puts the prompt that the request names before each text', async () => {
    const model = 'own/published'
    const [prompted] = await embed({ model, inputs: 'sea', prompt_name: 'query' })
    expect(prompted).toEqual((await embed({ model, inputs: 'ship at sea' }))[0])
    expect(prompted).not.toEqual((await embed({ model, inputs: 'sea' }))[0])
    const [plain] = await embed({ model, inputs: 'sea', prompt_name: 'document' })
    expect(plain).toEqual((await embed({ model, inputs: 'sea' }))[0])
  })

  it('cuts a long text at the start where the request says Left', async () => {
    const inputs = `${'robot '.repeat(600)}${'ship '.repeat(600)}`
    const [right] = await embed({ inputs })
    const [left] = await embed({ inputs, truncation_direction: 'Left' })
    expect(right).toEqual((await embed({ inputs: 'robot '.repeat(600) }))[0])
    expect(left).toEqual((await embed({ inputs: long }))[0])
    const error = await errorOf(
      post('/embed', { inputs, truncation_direction: 'Left', truncate: false }),
      400,
    )
    expect(error.error).toContain('1 are longer')
  })

  it('is also served at /', async () => {
    const body = { inputs: ['a robot', 'a ship'] }
    expect(await json<number[][]>(post('/', body))).toEqual(await embed(body))
    expect(await errorOf(post('/', {}), 400)).toMatchObject({ error_type: 'Validation' })
    const state = await json<{ status: string }>(get('/'))
    expect(state.status).toBeTypeOf('string')
  })

  it.each([
    [{}, 400, 'inputs: required'],
    [{ inputs: '' }, 400, 'inputs: expected a text, received an empty one'],
    [{ inputs: [] }, 400, 'inputs: expected at least one text'],
    [{ inputs: 'a', normalize: 1 }, 400, 'normalize: expected true or false, received 1'],
    [{ inputs: 'a', dimensions: 3 }, 400, 'dimensions: expected 256'],
    [{ inputs: '\u200b' }, 400, 'inputs: expected a text, received an empty one'],
    [{ inputs: 'a', prompt_name: 'query' }, 422, 'prompt_name: expected null, the prompts of'],
    [
      { inputs: 'a', prompt_name: 'toString', model: 'own/published' },
      422,
      'expected null, document, query, the prompts of own/published; received "toString"',
    ],
    [{ inputs: [[101, 102]], prompt_name: 'query', model: 'own/published' }, 400, 'token ids'],
    [{ inputs: 'a', truncation_direction: 'Both' }, 422, 'expected Right or Left, received "Both"'],
    [
      { inputs: 'a', truncation_direction: 7, prompt_name: 7 },
      422,
      'prompt_name: expected null or',
    ],
    [{ inputs: 'a', model: 'none' }, 404, 'unknown model "none"'],
    [{ inputs: Array(101).fill('a') }, 413, 'inputs: expected at most 100 texts'],
  ])('%j is refused', async (body, status, message) => {
    const error = await errorOf(post('/embed', body), status)
    expect(error.error_type).toBe('Validation')
    expect(error.error).toContain(message)
  })
})

describe('/rerank', () => {
  interface Rank {
    readonly index: number
    readonly score: number
    readonly text?: string
  }
  const query = 'a robot goes to school'
  const texts = ['A ship is lost at sea.', 'A robot goes to school.', 'A pupil is an android.']
  const rerank = (body: object) => json<Rank[]>(post('/rerank', { query, texts, ...body }))

  it('answers positions and scores, the best first', async () => {
    const ranks = await rerank({})
    expect(ranks[0]?.index).toBe(1)
    expect(Object.keys(ranks[0] ?? {})).toEqual(['index', 'score'])
    const scores = ranks.map(({ score }) => score)
    expect(scores).toEqual(scores.toSorted((a, b) => b - a))
    const withTexts = await rerank({ return_text: true })
    expect(withTexts).toEqual(ranks.map((rank) => ({ ...rank, text: texts[rank.index] })))
  })

  it('answers logits where raw scores are wanted', async () => {
    for (const model of ['builtin/maxsim-en', 'own/pairs']) {
      const ranks = await rerank({ model })
      const raw = await rerank({ model, raw_scores: true })
      expect(raw.map(({ index }) => index)).toEqual(ranks.map(({ index }) => index))
      raw.forEach(({ score }, i) => {
        expect(1 / (1 + Math.exp(-score))).toBeCloseTo(ranks[i]?.score ?? NaN, 5)
      })
    }
  })

  it('answers documents in the shape of Jina, Infinity and vLLM', async () => {
    interface Reranked {
      readonly model: string
      readonly results: readonly { index: number; relevance_score: number; document?: object }[]
      readonly usage: { readonly total_tokens: number }
    }
    const body = { query, documents: texts, top_n: 2, return_documents: true }
    const reranked = await json<Reranked>(post('/rerank', body))
    expect(Object.keys(reranked)).toEqual(['model', 'results', 'usage'])
    const ranks = await rerank({})
    expect(reranked.results).toEqual(
      ranks.slice(0, 2).map(({ index, score }) => ({
        index,
        relevance_score: score,
        document: { text: texts[index] },
      })),
    )
    expect(reranked.usage.total_tokens).toBeGreaterThan(0)
  })

  it.each([
    [{ texts: undefined }, 400, 'expected either texts'],
    [{ documents: ['a'] }, 400, 'expected either texts'],
    [{ texts: undefined, documents: [] }, 400, 'documents: expected at least one document'],
    [{ texts: undefined, documents: Array(101).fill('a') }, 413, 'at most 100 texts'],
    [{ truncation_direction: 'Left' }, 422, 'expected Right, received "Left"'],
    [{ texts: [] }, 400, 'texts: expected at least one text'],
    [{ texts: 'a' }, 400, 'texts: expected a list of texts'],
    [{ texts: ['a', 5] }, 400, 'texts: number 1: expected text, received 5'],
    [{ query: null }, 400, 'query: expected text, received null'],
    [{ texts: ['a', long], truncate: false }, 400, 'texts: expected texts that the model reads'],
    [{ model: 'builtin/static-en' }, 404, 'unknown model'],
    [{ texts: Array(101).fill('a') }, 413, 'at most 100 texts'],
  ])('%j is refused', async (body, status, message) => {
    const error = await errorOf(post('/rerank', { query, texts, ...body }), status)
    expect(error.error).toContain(message)
  })
})

describe('/similarity', () => {
  const inputs = {
    source_sentence: 'a robot goes to school',
    sentences: ['a robot goes to school', 'a ship at sea'],
  }

  it('answers the cosine of each sentence', async () => {
    const [same = 0, other = 0] = await json<number[]>(post('/similarity', { inputs }))
    expect(same).toBeCloseTo(1, 5)
    const [a = [], b = []] = await json<number[][]>(
      post('/embed', { inputs: [inputs.source_sentence, inputs.sentences[1]] }),
    )
    expect(other).toBeCloseTo(
      a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0),
      5,
    )
  })

  it.each([
    [{}, 400, 'inputs: required'],
    [{ inputs: 'a' }, 400, 'inputs: expected'],
    [{ inputs: { sentences: ['a'] } }, 400, 'inputs.source_sentence: required'],
    [{ inputs: { ...inputs, sentences: [] } }, 400, 'inputs.sentences: expected at least one'],
    [{ inputs: { ...inputs, sentences: Array(101).fill('a') } }, 413, 'inputs.sentences: expected'],
    [
      { inputs: { ...inputs, source_sentence: long }, parameters: { truncate: false } },
      400,
      'longer',
    ],
  ])('%j is refused', async (body, status, message) => {
    const error = await errorOf(post('/similarity', body), status)
    expect(error.error).toContain(message)
  })
})

describe('/tokenize', () => {
  it('answers the tokens of each text with their places', async () => {
    const model = 'builtin/static-en'
    const [tokens = []] = await json<Record<string, unknown>[][]>(
      post('/tokenize', { model, inputs: 'A \u{1f600} robot' }),
    )
    expect(tokens.map(({ text }) => text)).toEqual(['[CLS]', 'A', '\u{1f600}', 'robot', '[SEP]'])
    expect(tokens[0]).toEqual({ id: 101, text: '[CLS]', special: true, start: null, stop: null })
    expect(tokens[3]).toMatchObject({ text: 'robot', special: false, start: 4, stop: 9 })
    const [bare = []] = await json<Record<string, unknown>[][]>(
      post('/tokenize', { model, inputs: ['robot'], add_special_tokens: false }),
    )
    expect(bare.map(({ text }) => text)).toEqual(['robot'])
  })

  it('returns ids that give the vector of the text, and does not cut', async () => {
    const [tokens = []] = await json<{ id: number }[][]>(post('/tokenize', { inputs: 'a robot' }))
    const ids = tokens.map(({ id }) => id)
    expect(await json(post('/embed', { inputs: [ids] }))).toEqual(
      await json(post('/embed', { inputs: 'a robot' })),
    )
    const [all = []] = await json<unknown[][]>(post('/tokenize', { inputs: long }))
    expect(all).toHaveLength(602)
  })

  it.each([
    [{}, 400, 'inputs: required'],
    [{ inputs: [101] }, 400, 'inputs'],
    [{ inputs: 5 }, 400, 'inputs: expected a text or a list of texts, received 5'],
    [{ inputs: 'a', prompt_name: 'none' }, 422, 'prompt_name: expected null'],
    [{ inputs: 'a', model: 'builtin/maxsim-en' }, 404, 'unknown model'],
  ])('%j is refused', async (body, status, message) => {
    expect((await errorOf(post('/tokenize', body), status)).error).toContain(message)
  })
})

it('/health answers 200 without a body', async () => {
  const answer = await get('/health')
  expect([answer.status, await answer.text()]).toEqual([200, ''])
})

it('/info returns the model and the limits', async () => {
  const info = await json<Record<string, unknown>>(get('/info'))
  expect(info).toMatchObject({
    model_id: 'builtin/static-en',
    model_dtype: 'float32',
    max_input_length: 512,
    max_client_batch_size: 100,
    auto_truncate: true,
  })
})

it('every other error has the same shape', async () => {
  expect(await errorOf(post('/embed', '{'), 400)).toMatchObject({ error_type: 'Validation' })
  await errorOf(get('/rerank'), 405)
  const headers = { 'x-envoy-expected-rq-timeout-ms': '1' }
  const inputs = Array.from({ length: 100 }, (_, i) => `${i} ${'ship at sea '.repeat(3000)}`)
  const late = await post('/embed', { inputs }, headers)
  // The time may be over before the whole body is there.
  expect([408, 503]).toContain(late.status)
  const { error_type: kind } = await errorOf(Promise.resolve(late), late.status)
  expect(kind).toBe(late.status === 503 ? 'Overloaded' : 'Validation')
})
