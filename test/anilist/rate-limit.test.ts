import { describe, expect, test } from 'vitest'
import type { Clock } from '#synoptic/base/util/clock.js'
import { systemClock } from '#synoptic/base/util/clock.js'
import { startOfTime } from './fakes.js'
import { useHarness } from './harness.js'

const h = useHarness()
const query = 'query { Viewer { id } }'
const nowSeconds = startOfTime / 1000

describe('429', () => {
  test.each([
    ['no header', {}, 60],
    ['a reset far away', { 'x-ratelimit-reset': `${nowSeconds + 95}` }, 95],
    ['a reset in exactly a minute', { 'x-ratelimit-reset': `${nowSeconds + 60}` }, 60],
    ['a reset nearer than a minute', { 'x-ratelimit-reset': `${nowSeconds + 5}` }, 60],
    ['a reset in the past', { 'x-ratelimit-reset': `${nowSeconds - 500}` }, 60],
    ['a reset of 0', { 'x-ratelimit-reset': '0' }, 60],
    ['a longer Retry-After', { 'retry-after': '75' }, 75],
    ['a shorter Retry-After', { 'retry-after': '30' }, 60],
    ['the longer of both', { 'retry-after': '80', 'x-ratelimit-reset': `${nowSeconds + 70}` }, 80],
    ['the later of both', { 'retry-after': '70', 'x-ratelimit-reset': `${nowSeconds + 80}` }, 80],
    ['a date as Retry-After', { 'retry-after': new Date(startOfTime + 90_000).toUTCString() }, 90],
    ['a past date as Retry-After', { 'retry-after': new Date(0).toUTCString() }, 60],
  ])('with %s waits, then tries again', async (_case, headers, seconds) => {
    h.server.script({ status: 429, headers }, { body: { data: 1 } })
    expect(await h.client().query(query)).toStrictEqual({ kind: 'answer', body: { data: 1 } })
    expect(h.clock.sleeps).toEqual([seconds * 1000])
    expect(h.server.received).toHaveLength(2)
    expect(h.log.messages('warn')).toEqual([expect.stringContaining(`waits ${seconds} s`)])
  })

  test.each([
    ['x-ratelimit-reset', 'soon'],
    ['x-ratelimit-reset', ''],
    ['x-ratelimit-reset', `${nowSeconds + 90}.5`],
    ['x-ratelimit-reset', '1e12'],
    ['x-ratelimit-reset', '0x7fffffff'],
    ['x-ratelimit-reset', '99999999999999999999'],
    ['x-ratelimit-reset', `${startOfTime + 90_000}`],
    ['retry-after', 'a while'],
    ['retry-after', '90.5'],
    ['retry-after', 'Fry, 99 Foo 2031'],
    ['retry-after', '999999999'],
  ])('counts a malformed %s of "%s" as absent, with a warning', async (name, value) => {
    h.server.script({ status: 429, headers: { [name]: value } }, { body: {} })
    expect((await h.client().query(query)).kind).toBe('answer')
    expect(h.clock.sleeps).toEqual([60_000])
    expect(h.log.messages('warn')[0]).toMatch(new RegExp(`^header ${name} is ignored`))
  })

  test('sends the same request again', async () => {
    h.server.script({ status: 429 }, { body: {} })
    await h.client().query(query, { id: 3 })
    expect(h.server.received[1]?.body).toStrictEqual({ query, variables: { id: 3 } })
  })

  test('gives a fresh default budget, whatever was used up or set', async () => {
    h.server.script({ status: 500 }, { status: 500 }, { status: 429 }, { status: 500 })
    expect((await h.client().query(query)).kind).toBe('failed')
    expect(h.server.received).toHaveLength(6)
    expect(h.clock.sleeps).toEqual([2000, 2000, 60_000, 2000, 2000])
  })

  test('a budget of one becomes the default of three', async () => {
    h.server.script({ status: 429 }, { status: 500 })
    await h.client().query(query, null, { retries: 1 })
    expect(h.server.received).toHaveLength(4)
  })

  test('again and again is waited out, in one loop', async () => {
    const client = h.client({ deadlineMs: 2_000_000_000 })
    let left = 300
    h.server.answerBy(() => ((left -= 1) < 0 ? { body: { data: 'at last' } } : { status: 429 }))
    expect(await client.query(query)).toMatchObject({ kind: 'answer' })
    expect(h.server.received).toHaveLength(301)
  })

  test('is given up at the deadline, before a wait that would pass it', async () => {
    h.server.script({ status: 429 })
    const result = await h.client({ deadlineMs: 150_000 }).query(query)
    expect(result).toMatchObject({ kind: 'failed', error: { code: 'EDEADLINE' } })
    expect(result).toHaveProperty(
      'error.message',
      'the next request may go out in 60 s, beyond the deadline of 150000 ms (deadlineMs)',
    )
    expect(h.clock.sleeps).toEqual([60_000, 60_000])
    expect(h.server.received).toHaveLength(3)
  })

  test('a deadline of the query goes before that of the client', async () => {
    h.server.script({ status: 429 })
    await h.client({ deadlineMs: 1 }).query(query, null, { deadlineMs: 61_000 })
    expect(h.server.received).toHaveLength(2)
  })

  test('the deadline also ends pauses between attempts', async () => {
    h.server.script({ status: 500 })
    const result = await h.client().query(query, null, { retries: 9, deadlineMs: 5000 })
    expect(result).toMatchObject({ kind: 'failed', error: { code: 'EDEADLINE' } })
    expect(h.clock.sleeps).toEqual([2000, 2000])
  })

  test('holds back every other request of the client as well', async () => {
    const client = h.client()
    h.server.script({ status: 429 }, { body: {} })
    await client.query(query, null, { deadlineMs: 1000 })
    expect(h.server.received).toHaveLength(1)
    await client.query(query)
    expect(h.clock.sleeps).toEqual([60_000])
  })
})

describe('cancellation', () => {
  test('ends a rate-limit wait with the reason of the signal', async () => {
    const leaving = new AbortController()
    const reason = new Error('the user left')
    const clock: Clock = {
      now: () => h.clock.now(),
      sleep: (_milliseconds, signal) => {
        leaving.abort(reason)
        return h.clock.sleep(0, signal)
      },
    }
    h.server.script({ status: 429 }, { body: {} })
    const pending = h.client({ clock }).query(query, null, { signal: leaving.signal })
    await expect(pending).rejects.toBe(reason)
    expect(h.server.received).toHaveLength(1)
  })

  test('ends a request on its way', async () => {
    const leaving = new AbortController()
    h.server.script(() => undefined)
    const pending = h.client().query(query, null, { signal: leaving.signal })
    await h.server.receivedAtLeast(1)
    leaving.abort()
    await expect(pending).rejects.toMatchObject({ name: 'AbortError' })
    expect(h.log.messages('warn')).toEqual([])
  })

  test('before the start sends nothing', async () => {
    const pending = h.client().query(query, null, { signal: AbortSignal.abort() })
    await expect(pending).rejects.toMatchObject({ name: 'AbortError' })
    expect(h.server.received).toEqual([])
  })

  test('ends a real sleep', async () => {
    const leaving = new AbortController()
    const slept = systemClock.sleep(600_000, leaving.signal)
    leaving.abort(new Error('enough'))
    await expect(slept).rejects.toThrow('enough')
    await expect(systemClock.sleep(0)).resolves.toBeUndefined()
  })
})

describe('pacing', () => {
  test.each([
    ['until the reset that is named', { 'x-ratelimit-reset': `${nowSeconds + 12}` }, [12_000]],
    ['for a minute when no reset is named', {}, [60_000]],
    ['for a minute when the reset is malformed', { 'x-ratelimit-reset': '?' }, [60_000]],
    ['not at all after a reset that has passed', { 'x-ratelimit-reset': '1000' }, []],
  ])('waits %s once nothing remains', async (_case, headers, sleeps) => {
    const client = h.client()
    h.server.script({ headers: { 'x-ratelimit-remaining': '0', ...headers }, body: {} }, {})
    expect((await client.query(query)).kind).toBe('answer')
    expect(h.clock.sleeps).toEqual([])
    await client.query(query)
    expect(h.clock.sleeps).toEqual(sleeps)
  })

  test.each(['1', '89', 'many', ''])('does not wait while "%s" remain', async (remaining) => {
    const client = h.client()
    h.server.script({ headers: { 'x-ratelimit-remaining': remaining }, body: {} })
    await client.query(query)
    await client.query(query)
    expect(h.clock.sleeps).toEqual([])
  })

  test('waits only for what is left of the window', async () => {
    const client = h.client()
    h.server.script({ headers: { 'x-ratelimit-remaining': '0' }, body: {} }, { body: {} })
    await client.query(query)
    h.clock.advance(45_000)
    await client.query(query)
    h.clock.advance(1)
    await client.query(query)
    expect(h.clock.sleeps).toEqual([15_000])
  })

  test('counts an overdrawn quota as used up', async () => {
    const client = h.client()
    h.server.script({ headers: { 'x-ratelimit-remaining': '-3' }, body: {} }, { body: {} })
    await client.query(query)
    await client.query(query)
    expect(h.clock.sleeps).toEqual([60_000])
  })

  test('learns from answers of every status', async () => {
    const client = h.client()
    h.server.script({ status: 404, headers: { 'x-ratelimit-remaining': '0' } }, { body: {} })
    await client.query(query)
    await client.query(query)
    expect(h.clock.sleeps).toEqual([60_000])
  })

  test('a stopped clock keeps requests back until it moves on', async () => {
    const sleeps: number[] = []
    const clock: Clock = {
      now: () => h.clock.now(),
      // Wakes early, as timers may.
      sleep: (milliseconds) => {
        sleeps.push(milliseconds)
        h.clock.advance(Math.ceil(milliseconds / 2))
        return Promise.resolve()
      },
    }
    h.server.script({ status: 429 }, { body: {} })
    await h.client({ clock }).query(query)
    expect(sleeps.slice(0, 3)).toEqual([60_000, 30_000, 15_000])
    expect(h.clock.now()).toBeGreaterThanOrEqual(startOfTime + 60_000)
  })
})
