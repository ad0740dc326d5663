import { describe, expect, test, vi } from 'vitest'
import { viewerQuery } from '#synoptic/data/anilist/queries.js'
import { closedPort } from '../helpers/sockets.js'
import { useHarness } from './harness.js'

const h = useHarness()

describe('the request', () => {
  test('is a POST whose body holds only the query for the current user', async () => {
    await h.client().tokenNeedsRefresh()
    expect(h.server.received).toHaveLength(1)
    expect(h.server.received[0]?.method).toBe('POST')
    expect(h.server.received[0]?.body).toStrictEqual({ query: viewerQuery })
    expect(viewerQuery).toMatch(/Viewer\s*\{\s*id\s+name\s*\}/)
  })

  test('carries the same header as any other', async () => {
    await h.configure({ ACCESS_TOKEN: 'abc' })
    await h.client().tokenNeedsRefresh()
    expect(h.server.received[0]?.headers.authorization).toBe('Bearer abc')
  })

  test('carries no header without a token', async () => {
    await h.client().tokenNeedsRefresh()
    expect(h.server.received[0]?.headers).not.toHaveProperty('authorization')
  })

  test('is given 10 seconds', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      h.server.script(() => undefined)
      let settled = false
      const pending = h.client().tokenNeedsRefresh()
      void pending.finally(() => (settled = true))
      await h.server.receivedAtLeast(1)
      await vi.advanceTimersByTimeAsync(9_999)
      expect(settled).toBe(false)
      await vi.advanceTimersByTimeAsync(1)
      expect(await pending).toBeNull()
      expect(h.log.messages('error')).toEqual([expect.stringContaining('10000 ms')])
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('the outcome', () => {
  test.each([401, 400])('of %i is that the token needs a refresh', async (status) => {
    h.server.script({ status })
    expect(await h.client().tokenNeedsRefresh()).toBe(true)
  })

  test.each([200, 204, 302, 403, 404, 429, 500, 502, 503])(
    'of %i is that it does not, after one request and without waiting',
    async (status) => {
      h.server.script({ status, body: 'not even JSON' })
      expect(await h.client().tokenNeedsRefresh()).toBe(false)
      expect(h.server.received).toHaveLength(1)
      expect(h.clock.sleeps).toEqual([])
      expect(h.log.messages('error')).toEqual([])
    },
  )

  test('of a connection that breaks is unknown, and reported', async () => {
    h.server.script((response) => response.destroy())
    expect(await h.client().tokenNeedsRefresh()).toBeNull()
    expect(h.server.received).toHaveLength(1)
    expect(h.log.messages('error')).toEqual([
      expect.stringMatching(/cannot be checked: the connection .* failed/),
    ])
  })

  test('of an endpoint that is not there is unknown, and reported', async () => {
    const url = `http://127.0.0.1:${closedPort}/`
    expect(await h.client({ url }).tokenNeedsRefresh()).toBeNull()
    expect(h.log.messages('error')).toEqual([expect.stringContaining('ECONNREFUSED')])
  })

  test('of a check that is called off is the reason of the signal', async () => {
    const leaving = new AbortController()
    h.server.script(() => undefined)
    const pending = h.client().tokenNeedsRefresh(leaving.signal)
    await h.server.receivedAtLeast(1)
    leaving.abort(new Error('enough'))
    await expect(pending).rejects.toThrow('enough')
  })

  test('a rate limit that it meets holds back the queries after it', async () => {
    const client = h.client()
    h.server.script({ status: 429 }, { body: {} })
    await client.tokenNeedsRefresh()
    await client.query('query { Viewer { id } }')
    expect(h.clock.sleeps).toEqual([60_000])
  })
})
