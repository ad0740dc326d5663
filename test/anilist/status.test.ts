import { describe, expect, test } from 'vitest'
import { bodyOrNull, type QueryResult } from '#synoptic/data/anilist/result.js'
import { UpstreamError } from '#synoptic/base/errors/index.js'
import { useHarness } from './harness.js'

const h = useHarness()
const query = 'query { Media(id: 1) { id } }'

function errorOf(result: QueryResult): UpstreamError {
  if (result.kind !== 'failed') throw new Error(`expected a failure, received ${result.kind}`)
  return result.error
}

describe('200', () => {
  test('gives the parsed JSON body', async () => {
    const body = { data: { Media: { id: 1, title: 'Ghost in the Shell 攻殻機動隊' } } }
    h.server.script({ body })
    const result = await h.client().query(query)
    expect(result).toStrictEqual({ kind: 'answer', body })
    expect(bodyOrNull(result)).toStrictEqual(body)
    expect(h.clock.sleeps).toEqual([])
  })

  test.each([
    ['null data', { data: null }],
    ['an empty list of errors', { data: {}, errors: [] }],
    ['errors that are no list', { data: {}, errors: 'none' }],
    ['a list', [1, 2]],
    ['null', null],
    ['a number', 4],
  ])('with %s is an answer', async (_case, body) => {
    h.server.script({ body: JSON.stringify(body) })
    expect(await h.client().query(query)).toStrictEqual({ kind: 'answer', body })
  })

  test('with GraphQL errors is neither an answer nor a failure nor "not found"', async () => {
    const body = {
      data: { Media: null },
      errors: [
        { message: 'Cannot query field "x"', status: 400, locations: [] },
        { message: 5 },
        7,
      ],
    }
    h.server.script({ body })
    const result = await h.client().query(query)
    expect(result).toStrictEqual({
      kind: 'graphql-errors',
      body,
      errors: [
        { message: 'Cannot query field "x"', status: 400 },
        { message: 'unknown error', status: null },
        { message: 'unknown error', status: null },
      ],
    })
    // By the specification a status 200 gives its body, whatever it says.
    expect(bodyOrNull(result)).toStrictEqual(body)
    expect(h.server.received).toHaveLength(1)
  })

  test('messages of errors are fit for a terminal', async () => {
    h.server.script({ body: { errors: [{ message: `a\u001b[31m\nb${'x'.repeat(500)}` }] } })
    const result = await h.client().query(query)
    if (result.kind !== 'graphql-errors') throw new Error(result.kind)
    expect(result.errors[0]?.message).toMatch(/^a \[31m bx{100}/)
    expect(result.errors[0]?.message).toHaveLength(200)
  })

  test.each([
    ['no body', ''],
    ['a page of HTML', '<!doctype html><p>Just a moment…'],
    ['half an object', '{"data": {'],
  ])('with %s is a failure, at once', async (_case, body) => {
    h.server.script({ body })
    const result = await h.client().query(query)
    expect(errorOf(result)).toMatchObject({ name: 'UpstreamError', code: 'EBODY' })
    expect(bodyOrNull(result)).toBeNull()
    expect(h.server.received).toHaveLength(1)
  })
})

describe('500', () => {
  test('is tried three times, two seconds apart, then there is no result', async () => {
    h.server.script({ status: 500, body: 'Internal Server Error' })
    const result = await h.client().query(query)
    expect(errorOf(result)).toMatchObject({ code: 'ESERVER', status: 500 })
    expect(bodyOrNull(result)).toBeNull()
    expect(h.server.received).toHaveLength(3)
    expect(h.clock.sleeps).toEqual([2000, 2000])
  })

  test('is logged each time', async () => {
    h.server.script({ status: 500 })
    await h.client().query(query)
    expect(h.log.messages('warn')).toHaveLength(3)
    expect(h.log.messages('warn')[0]).toMatch(/status 500, expected 200/)
    expect(h.log.messages('error')).toEqual(['no attempts left; there is no result'])
  })

  test.each([1, 2, 5])('is tried %i times when so many retries are given', async (retries) => {
    h.server.script({ status: 500 })
    expect((await h.client().query(query, null, { retries })).kind).toBe('failed')
    expect(h.server.received).toHaveLength(retries)
    expect(h.clock.sleeps).toEqual(Array.from({ length: retries - 1 }, () => 2000))
  })

  test('is forgotten when a later attempt succeeds', async () => {
    h.server.script({ status: 500 }, { status: 500 }, { body: { data: 1 } })
    expect(await h.client().query(query)).toStrictEqual({ kind: 'answer', body: { data: 1 } })
  })

  test('the same request is sent again', async () => {
    h.server.script({ status: 500 }, { body: {} })
    await h.client().query(query, { id: 3 })
    expect(h.server.received.map(({ body }) => body)).toStrictEqual([
      { query, variables: { id: 3 } },
      { query, variables: { id: 3 } },
    ])
  })

  test('followed by another status ends there', async () => {
    h.server.script({ status: 500 }, { status: 403 }, { body: {} })
    expect(errorOf(await h.client().query(query))).toMatchObject({ code: 'ESTATUS', status: 403 })
    expect(h.server.received).toHaveLength(2)
  })
})

describe('any other status', () => {
  test('404 is "not found", at once and without a result', async () => {
    h.server.script({
      status: 404,
      body: { data: { Media: null }, errors: [{ message: 'Not Found.', status: 404 }] },
    })
    const result = await h.client().query(query)
    expect(result).toStrictEqual({
      kind: 'not-found',
      errors: [{ message: 'Not Found.', status: 404 }],
    })
    expect(bodyOrNull(result)).toBeNull()
    expect(h.server.received).toHaveLength(1)
  })

  test.each([201, 202, 204, 206, 304, 400, 401, 403, 405, 418, 501, 502, 503, 504, 599])(
    '%i fails at once, without a result and without waiting',
    async (status) => {
      h.server.script({ status }, { body: { data: 'a second request' } })
      const result = await h.client().query(query)
      expect(errorOf(result)).toMatchObject({ code: 'ESTATUS', status })
      expect(bodyOrNull(result)).toBeNull()
      expect(h.server.received).toHaveLength(1)
      expect(h.clock.sleeps).toEqual([])
      expect(h.log.messages('error')).toEqual([expect.stringContaining(`status ${status}`)])
    },
  )

  test.each([301, 302, 307, 308])('%i is not followed, so the token stays here', async (status) => {
    await h.configure({ ACCESS_TOKEN: 'secret' })
    h.server.script({ status, headers: { location: '/elsewhere' } }, { body: {} })
    expect(errorOf(await h.client().query(query))).toMatchObject({ code: 'ESTATUS', status })
    expect(h.server.received.map(({ path }) => path)).toEqual(['/graphql'])
  })

  test('says why, in the words of the service', async () => {
    h.server.script({
      status: 403,
      body: { data: null, errors: [{ message: 'The API has been temporarily disabled' }] },
    })
    const { message } = errorOf(await h.client().query(query))
    expect(message).toMatch(/status 403 \(The API has been temporarily disabled\), expected 200/)
  })
})
