/** The public lists of a user, read by name from an endpoint on loopback. */
import { readPublicList } from '#synoptic/data/anilist/public-list.js'
import { UpstreamError } from '#synoptic/base/errors/index.js'
import { describe, expect, test } from 'vitest'
import type { Answer } from './graphql-server.js'
import { useHarness } from './harness.js'

const h = useHarness()

const read = (deadlineMs = 10_000) =>
  readPublicList(h.client(), 'anime', 'Somebody', { deadlineMs })

const collection = (entries: readonly unknown[], hasNextChunk: boolean | null = false): Answer => ({
  body: { data: { MediaListCollection: { hasNextChunk, lists: [{ entries }] } } },
})

const refusal = (status: number, message: string): Answer => ({
  status,
  body: { data: null, errors: [{ message, status }] },
})

async function faultOf(reading: Promise<unknown>): Promise<UpstreamError> {
  const error = await reading.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof UpstreamError))
    throw new Error(`expected an UpstreamError: ${String(error)}`)
  return error
}

describe('the lists of a user', () => {
  test('are read chunk by chunk, each work once, with status and rating', async () => {
    const one = { mediaId: 1, status: 'COMPLETED', score: 8.5, media: { idMal: 11, type: 'ANIME' } }
    const other = { mediaId: 2, status: 'DROPPED', score: 0, media: { idMal: null, type: 'ANIME' } }
    h.server.script(collection([one, other], true), collection([one], false))
    expect(await read()).toEqual([
      { dataset: 'anime', mediaId: 1, malId: 11, status: 'COMPLETED', score: 8.5 },
      { dataset: 'anime', mediaId: 2, malId: null, status: 'DROPPED', score: null },
    ])
    expect(h.server.received.map(({ body }) => body.variables)).toEqual(
      [0, 1].map((chunk) => ({ userName: 'Somebody', type: 'ANIME', chunk, perChunk: 500 })),
    )
    // One scale for all users.
    expect(h.server.received[0]?.body.query).toContain('score(format: POINT_10_DECIMAL)')
  })

  test('may be empty, and an entry that is none does not cost the others', async () => {
    h.server.script({
      body: { data: { MediaListCollection: { hasNextChunk: null, lists: null } } },
    })
    expect(await read()).toEqual([])
    const entry = { mediaId: 3, status: 'PLANNING', score: null, media: null }
    h.server.script(collection([null, { mediaId: 4, status: 'BOUGHT' }, entry]))
    expect((await read()).map(({ mediaId }) => mediaId)).toEqual([3])
  })

  test('end, though every chunk promises another', async () => {
    const entry = { mediaId: 3, status: 'PLANNING', score: null, media: null }
    h.server.script(collection([entry], true))
    expect(await read()).toHaveLength(1)
    expect(h.server.received.length).toBeLessThan(30)
  })
})

describe('what a person can do about a fault', () => {
  test.each([
    ['no such user', refusal(404, 'User not found'), /no public lists .* Somebody.*spelling/],
    ['no such user, in a page', { status: 404, body: '<html>' }, /no public lists .* Somebody/],
    ['a private profile', refusal(404, 'Private User'), /private.*public.*export/],
    ['a refusal for privacy', { ...refusal(403, 'Private User'), status: 200 }, /private.*export/],
  ])('%s', async (_, answer, message) => {
    h.server.script(answer)
    expect(await faultOf(read())).toMatchObject({
      status: 404,
      message: expect.stringMatching(message) as unknown,
    })
  })

  test('at the rate limit it says when to try again, and does not wait', async () => {
    h.server.script({ status: 429, headers: { 'retry-after': '75' } })
    expect(await faultOf(read())).toMatchObject({
      code: 'EDEADLINE',
      retryAfterSeconds: 75,
      message: 'AniList accepts no more requests for now. Try again in 75 seconds.',
    })
    expect(h.clock.sleeps).toEqual([])
    expect(h.server.received).toHaveLength(1)
  })

  test.each([
    ['a service that fails', { status: 500 }, 'ESERVER'],
    ['a refusal', { status: 403, body: {} }, 'ESTATUS'],
    ['another shape', { body: { data: { MediaListCollection: 3 } } }, 'EBODY'],
    ['GraphQL errors', { body: { errors: [{ message: 'Too complex' }] } }, 'EGRAPHQL'],
  ])('%s', async (_, answer, code) => {
    h.server.script(answer)
    expect(await faultOf(read())).toMatchObject({
      code,
      message: expect.stringContaining('lists of Somebody') as unknown,
    })
  })
})
