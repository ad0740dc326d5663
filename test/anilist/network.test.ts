import { afterEach, describe, expect, test, vi } from 'vitest'
import { closedPort } from '../helpers/sockets.js'
import { useHarness } from './harness.js'

const h = useHarness()
const query = 'query { Viewer { id } }'

afterEach(() => {
  vi.useRealTimers()
})

describe('timeout', () => {
  test('is 10 seconds unless said, to the millisecond', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    h.server.script(() => undefined)
    let settled = false
    const pending = h.client().query(query, null, { retries: 1 })
    void pending.finally(() => (settled = true))
    await h.server.receivedAtLeast(1)
    await vi.advanceTimersByTimeAsync(9_999)
    expect(settled).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(await pending).toMatchObject({ kind: 'failed', error: { code: 'ETIMEOUT' } })
  })

  test('covers a body that does not end', async () => {
    h.server.script((response) => response.writeHead(200).write('{"data":'))
    const result = await h.client({ timeoutMs: 50 }).query(query, null, { retries: 1 })
    expect(result).toMatchObject({ kind: 'failed', error: { code: 'ETIMEOUT' } })
    expect(result).toHaveProperty('error.message', expect.stringContaining('50 ms (timeoutMs)'))
  })

  test('is shortened to what is left until the deadline', async () => {
    h.server.script(() => undefined)
    const result = await h.client().query(query, null, { deadlineMs: 40 })
    expect(result).toMatchObject({ kind: 'failed', error: { code: 'EDEADLINE' } })
  })

  test('leaves no timer behind', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    h.server.script({ body: {} })
    await h.client().query(query)
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('a connection that fails', () => {
  test('is tried as often as a 500, then reported by type', async () => {
    const url = `http://127.0.0.1:${closedPort}/`
    const result = await h.client({ url }).query(query)
    expect(result).toMatchObject({
      kind: 'failed',
      error: { name: 'UpstreamError', code: 'ENETWORK', status: undefined },
    })
    expect(result).toHaveProperty('error.message', expect.stringContaining('ECONNREFUSED'))
    expect(result).toHaveProperty('error.cause.message', expect.stringMatching(/^connect ECONN/))
    expect(h.clock.sleeps).toEqual([2000, 2000])
  })

  test('because the port is one that is never used for HTTP says so', async () => {
    const result = await h.client({ url: 'http://127.0.0.1:9/' }).query(query, null, { retries: 1 })
    expect(result).toHaveProperty('error.code', 'ENETWORK')
    expect(result).toHaveProperty('error.message', 'the connection to 127.0.0.1:9 failed: bad port')
  })

  test('before the answer is tried again', async () => {
    h.server.script((response) => response.destroy(), { body: { data: 1 } })
    expect(await h.client().query(query)).toStrictEqual({ kind: 'answer', body: { data: 1 } })
    expect(h.clock.sleeps).toEqual([2000])
  })

  test('within the answer is tried again', async () => {
    h.server.script(
      (response) => {
        response.writeHead(200, { 'content-length': '100' }).write('{"data":', () => {
          response.destroy()
        })
      },
      { body: { data: 1 } },
    )
    expect(await h.client().query(query)).toStrictEqual({ kind: 'answer', body: { data: 1 } })
    expect(h.server.received).toHaveLength(2)
  })

  test('because the other side speaks no HTTP is reported by type', async () => {
    h.server.script((response) => {
      response.socket?.end('SMTP ready\r\n\r\n')
    })
    const result = await h.client().query(query, null, { retries: 2 })
    expect(result).toMatchObject({ kind: 'failed', error: { code: 'ENETWORK' } })
  })
})

describe('keep-alive', () => {
  test('one connection serves requests in a row, failed ones included', async () => {
    const client = h.client()
    h.server.script(
      { body: {} },
      { status: 500, body: 'x'.repeat(100_000) },
      { status: 403, body: '<p>no' },
      { status: 429 },
      { body: {} },
    )
    for (let i = 0; i < 5; i += 1) await client.query(query)
    await client.tokenNeedsRefresh()
    expect(h.server.received).toHaveLength(8)
    expect(h.server.connections()).toBe(1)
  })
})
