/** POST /v1/embeddings and GET /v1/models over a socket, in the shapes of OpenAI. */
import { describe, expect, it } from 'vitest'
import { type Embeddings, lengthOf, openV1Scene, vectorsOf } from './scene.js'

const { post, get, json, folder } = await openV1Scene(['--v1-max-inputs', '600'])
const model = 'builtin/static-en'
const embed = (body: object) =>
  json<Embeddings>(post('/v1/embeddings', { model, input: 'a robot', ...body }))

interface OpenAiError {
  readonly error: {
    readonly message: string
    readonly type: string
    readonly param: string | null
    readonly code: string
  }
}

/** Its members are those of OpenAI, and it names no folder. */
async function errorOf(response: Promise<Response>, status: number) {
  const answer = await response
  expect(answer.headers.get('content-type')).toBe('application/json')
  const text = await answer.text()
  expect(answer.status, text).toBe(status)
  expect(text).not.toContain(folder)
  const body = JSON.parse(text) as OpenAiError
  expect(Object.keys(body)).toEqual(['error'])
  expect(Object.keys(body.error)).toEqual(['message', 'type', 'param', 'code'])
  return body.error
}

describe('the input', () => {
  it('is a text; its vector has length 1, and its tokens are counted', async () => {
    const answer = await embed({ input: 'a robot goes to school' })
    expect(answer).toMatchObject({
      object: 'list',
      model,
      data: [{ object: 'embedding', index: 0 }],
      usage: { prompt_tokens: 5, total_tokens: 5 },
    })
    const [vector = []] = vectorsOf(answer)
    expect(vector).toHaveLength(256)
    expect(lengthOf(vector)).toBeCloseTo(1, 5)
  })

  it('is a list, answered in its order with the vectors that each text has alone', async () => {
    const texts = ['a robot goes to school', 'a ship', 'a robot goes to school', 'rain at sea']
    const answer = await embed({ input: texts })
    expect(answer.data.map(({ index }) => index)).toEqual([0, 1, 2, 3])
    expect(answer.usage.total_tokens).toBe(5 + 2 + 5 + 3)
    for (const [position, input] of texts.entries()) {
      expect(vectorsOf(await embed({ input }))[0]).toEqual(vectorsOf(answer)[position])
    }
  })

  it('is read in slices where it is long, and none is lost', async () => {
    const texts = Array.from({ length: 600 }, (_, number) => `ship number ${number % 7}`)
    const vectors = vectorsOf(await embed({ input: texts }))
    expect(vectors).toHaveLength(600)
    const alone = vectorsOf(await embed({ input: texts.slice(0, 7) }))
    vectors.forEach((vector, position) => expect(vector).toEqual(alone[position % 7]))
  })

  it('is token ids, of one text or of several', async () => {
    // The ids of "a", "robot" and "ship" between [CLS] and [SEP], as tokenizer.json makes them; this model
    // does not read these two.
    const [cls, sep, a, robot, ship] = [101, 102, 1037, 8957, 2911]
    const texts = vectorsOf(await embed({ input: ['a robot', 'ship'] }))
    const several = await embed({
      input: [
        [cls, a, robot, sep],
        [cls, ship, sep],
      ],
    })
    expect(vectorsOf(several)).toEqual(texts)
    expect(several.usage.total_tokens).toBe(3)
    expect(vectorsOf(await embed({ input: [cls, a, robot, sep] }))).toEqual(texts.slice(0, 1))
  })

  it.each([
    ['', 'received an empty one'],
    [' \n', 'received an empty one'],
    ['\u200b\ufeff', 'received an empty one'],
    ['\0', 'received an empty one'],
    [['a', '\u2060'], 'number 1: expected a text, received an empty one'],
    // tiktoken's ids of "a robot", and those of this tokenizer without its special tokens.
    [[64, 12585], 'with its special tokens (101, …, 102)'],
    [[1037, 8957], 'with its special tokens (101, …, 102)'],
    [[101, 102], 'with its special tokens (101, …, 102)'],
    [[], 'received an empty list'],
    [[[]], 'received an empty list'],
    [['a', ''], 'number 1: expected a text, received an empty one'],
    [['a', 5], 'number 1: expected text, received 5'],
    [[1, 'a'], 'received a string at 1'],
    [[1.5], 'received 1.5 at 0'],
    [[-1], 'received -1 at 0'],
    [[[1], 'a'], 'number 1: expected a list of token ids'],
    [[30_522], 'expected token ids below 30522'],
    [5, 'received 5'],
    [null, 'received null'],
    [{}, 'received an object'],
    ['x'.repeat(100_001), 'expected at most 100000 characters, received 100001'],
    ['🤖'.repeat(100_001), 'expected at most 100000 characters, received 100001'],
  ])('is not %j', async (input, message) => {
    const error = await errorOf(post('/v1/embeddings', { model, input }), 400)
    expect(error).toMatchObject({
      type: 'invalid_request_error',
      param: 'input',
      code: 'invalid_request',
    })
    expect(error.message).toContain(message)
  })

  it('has 100,000 code points at most, however many units each has', async () => {
    expect(vectorsOf(await embed({ input: `robot ${'🤖'.repeat(99_994)}` }))).toHaveLength(1)
  })

  it('is of text, not of another modality', async () => {
    expect(vectorsOf(await embed({ input: 'ship', modality: 'text' }))).toHaveLength(1)
    for (const modality of ['image', 'Text', 5]) {
      const error = await errorOf(post('/v1/embeddings', { model, input: 'ship', modality }), 422)
      expect(error).toMatchObject({ param: 'modality', code: 'unsupported_value' })
    }
  })

  it('is needed', async () => {
    const error = await errorOf(post('/v1/embeddings', { model }), 400)
    expect(error).toMatchObject({ param: 'input', message: 'input: required' })
  })

  it('of too many texts is refused with the limit, before anything of it is looked at', async () => {
    const input = Array.from({ length: 10_000 }, () => '')
    const error = await errorOf(post('/v1/embeddings', { model: 'none', input }), 413)
    expect(error).toMatchObject({ type: 'invalid_request_error', code: 'too_many_inputs' })
    expect(error.message).toContain('at most 600 texts')
    expect(error.message).toContain('received 10000')
    expect(error.message).toContain('--v1-max-inputs')
    // Ids of one text are one text.
    await embed({ input: [101, ...Array.from({ length: 10_000 }, () => 2005), 102] })
  })
})

describe('the other members', () => {
  it('base64 holds the bytes of the same numbers', async () => {
    const answer = await embed({ encoding_format: 'base64', input: ['a robot', 'a ship'] })
    const vectors = answer.data.map(({ embedding }) => {
      const bytes = Buffer.from(String(embedding), 'base64')
      return Array.from({ length: bytes.length / 4 }, (_, i) => bytes.readFloatLE(i * 4))
    })
    const numbers = vectorsOf(await embed({ input: ['a robot', 'a ship'] }))
    // Nine digits are those of one float32.
    expect(numbers.map((vector) => vector.map(Math.fround))).toEqual(vectors)
  })

  it('members that are null, or of other servers, are passed over', async () => {
    const plain = await embed({})
    const more = { encoding_format: null, dimensions: null, user: 'somebody', truncate: 'END' }
    expect(await embed(more)).toEqual(plain)
    expect(await embed({ model: null })).toEqual(plain)
    expect(await embed({ model: 'static-en' })).toEqual(plain)
  })

  it('dimensions cuts and renormalizes where the model is made for it', async () => {
    const input = 'alpha beta'
    const whole = await embed({ model: 'own/nesting', input })
    const [vector = []] = vectorsOf(whole)
    const published = await embed({ model: 'own/published', input, dimensions: 8 })
    expect(vectorsOf(published)[0]).toHaveLength(8)
    for (const dimensions of [2, 4]) {
      const [short = []] = vectorsOf(await embed({ model: 'own/nesting', input, dimensions }))
      expect(short).toHaveLength(dimensions)
      expect(lengthOf(short)).toBeCloseTo(1, 5)
      const cut = vector.slice(0, dimensions)
      short.forEach((value, i) => expect(value).toBeCloseTo((cut[i] ?? 0) / lengthOf(cut), 5))
    }
    const { length: dimensions } = vector
    expect(await embed({ model: 'own/nesting', input, dimensions })).toEqual(whole)
    expect(await embed({ dimensions: 256 })).toEqual(await embed({}))
  })

  it.each([
    ['builtin/static-en', 128, 'expected 256'],
    ['own/nesting', 3, 'expected 2 or 4 or '],
    ['own/published', 4, 'expected 8 or '],
    ['own/nesting', 0, 'expected an integer from 1, received 0'],
    ['own/nesting', '4', 'expected an integer from 1, received a string'],
  ])('of %s dimensions may not be %j', async (name, dimensions, message) => {
    const body = { model: name, input: 'alpha', dimensions }
    const error = await errorOf(post('/v1/embeddings', body), 400)
    expect(error).toMatchObject({ param: 'dimensions', type: 'invalid_request_error' })
    expect(error.message).toContain(message)
  })

  it.each([
    ['encoding_format', 'hex', 'expected float or base64, received "hex"'],
    ['model', 5, 'expected text, received 5'],
  ])('%s may not be %j', async (param, value, message) => {
    const body = { model, input: 'a', [param]: value }
    const error = await errorOf(post('/v1/embeddings', body), 400)
    expect(error).toMatchObject({ param, message: `${param}: ${message}` })
  })
})

describe('the models', () => {
  interface Listed {
    readonly id: string
    readonly object: string
    readonly created: number
    readonly owned_by: string
  }

  it('are those that are installed, each to be had by its name', async () => {
    const list = await json<{ object: string; data: Listed[] }>(get('/v1/models'))
    expect(list.object).toBe('list')
    const names = list.data.map(({ id }) => id)
    expect(names).toEqual(
      expect.arrayContaining([
        'builtin/static-en',
        'own/nesting',
        'builtin/maxsim-en',
        'own/pairs',
      ]),
    )
    for (const absent of ['own/absent', 'encoders/all-mpnet-base-v2']) {
      expect(names).not.toContain(absent)
    }
    for (const listed of list.data) {
      expect(Object.keys(listed)).toEqual(['id', 'object', 'created', 'owned_by', 'capabilities'])
      expect(Number.isInteger(listed.created)).toBe(true)
      expect(await json(get(`/v1/models/${listed.id}`))).toEqual(listed)
      expect(await json(get(`/v1/models/${encodeURIComponent(listed.id)}`))).toEqual(listed)
    }
  })

  it.each(['text-embedding-3-small', 'encoders/all-mpnet-base-v2', '../outside', 'own/absent'])(
    '%s is not found, wherever it is requested',
    async (name) => {
      const path = `/v1/models/${encodeURIComponent(name)}`
      for (const response of [get(path), post('/v1/embeddings', { model: name, input: 'a' })]) {
        const error = await errorOf(response, 404)
        expect(error).toMatchObject({
          type: 'invalid_request_error',
          param: 'model',
          code: 'model_not_found',
        })
      }
    },
  )

  it('that rank have no vectors', async () => {
    for (const name of ['builtin/maxsim-en', 'own/pairs']) {
      const error = await errorOf(post('/v1/embeddings', { model: name, input: 'a' }), 404)
      expect(error.message).toContain('GET /v1/models')
    }
  })
})

describe('every other error has the same shape', () => {
  it('no JSON, another type, another method, another path', async () => {
    const broken = await errorOf(post('/v1/embeddings', '{"input": '), 400)
    expect(broken.message).toContain('expected JSON')
    const untyped = post('/v1/embeddings', '{}', { 'content-type': 'text/plain' })
    expect(await errorOf(untyped, 415)).toMatchObject({ code: 'unsupported_media_type' })
    expect(await errorOf(get('/v1/embeddings'), 405)).toMatchObject({ code: 'method_not_allowed' })
    const nowhere = await errorOf(post('/v1/chat/completions', {}), 404)
    expect(nowhere).toMatchObject({ code: 'not_found', type: 'invalid_request_error' })
  })

  it('a list in place of an object', async () => {
    const error = await errorOf(post('/v1/embeddings', []), 400)
    expect(error.message).toContain('expected a JSON object, received an array')
  })

  it('a body beyond the limit, which it names', async () => {
    const input = 'x'.repeat(8_388_700)
    const error = await errorOf(post('/v1/embeddings', { model, input }), 413)
    expect(error.code).toBe('payload_too_large')
    expect(error.message).toContain('8388608 bytes')
    expect(error.message).toContain('--v1-body-limit')
  })

  it('what takes longer than its client waits', async () => {
    const input = Array.from({ length: 600 }, (_, i) => `${i} ${'ship at sea '.repeat(300)}`)
    const headers = { 'x-envoy-expected-rq-timeout-ms': '1' }
    const response = await post('/v1/embeddings', { model, input }, headers)
    // The time may be over before the whole body is there.
    expect([408, 503]).toContain(response.status)
    const isLate = response.status === 503
    if (isLate) expect(response.headers.get('retry-after')).not.toBeNull()
    const error = await errorOf(Promise.resolve(response), response.status)
    expect(error.type).toBe(isLate ? 'server_error' : 'invalid_request_error')
  })
})
