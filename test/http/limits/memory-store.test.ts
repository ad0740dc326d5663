import { describe, expect, it } from 'vitest'
import { createMemoryStore } from '#synoptic/server/http/limits/memory-store.js'
import { limitedGroups, windowOf } from '#synoptic/server/http/limits/rate-window.js'

describe('the window of a rate', () => {
  it.each([
    [1, 1, { limit: 1, windowMs: 1000 }],
    [2, 1, { limit: 1, windowMs: 500 }],
    [1, 3, { limit: 3, windowMs: 3000 }],
    [0.0001, 1, { limit: 1, windowMs: 10_000_000 }],
    [8000, 2, { limit: 8, windowMs: 1 }],
    [1_000_000, 5000, { limit: 5000, windowMs: 5 }],
  ])('of %d a second and a burst of %d is %o', (perSecond, burst, window) => {
    expect(windowOf(perSecond, burst)).toEqual(window)
  })

  it('exists for groups with a rate above 0 alone', () => {
    const groups = limitedGroups({ rateLimit: { searchmodel: 2, search: 0 }, rateBurst: 1 })
    expect(groups).toEqual([{ group: 'searchmodel', perSecond: 2, limit: 1, windowMs: 500 }])
    expect(limitedGroups({ rateLimit: { searchmodel: 0 }, rateBurst: 9 })).toEqual([])
  })
})

describe('the store in memory', () => {
  function at(windowMs: number, maxClients = 100) {
    let time = 1_000_000
    let set = 0
    const store = createMemoryStore({
      windowMs,
      maxClients,
      now: () => time,
      wallClock: () => time + set,
    })
    return {
      store,
      hits: async (client: string) => (await store.increment(client)).totalHits,
      take: async (client: string, cost: number, limit: number) => {
        const { totalHits, isTaken, resetTime } = await store.take(client, { cost, limit })
        return [totalHits, isTaken, Number(resetTime)]
      },
      resetMs: async (client: string) => Number((await store.increment(client)).resetTime),
      setClock: (ms: number) => (set += ms),
      wait: (ms: number) => (time += ms),
    }
  }

  it('counts until the window ends, and then from one again', async () => {
    const { hits, wait } = at(1000)
    expect([await hits('a'), await hits('a'), await hits('a')]).toEqual([1, 2, 3])
    wait(999)
    expect(await hits('a')).toBe(4)
    wait(1)
    expect(await hits('a')).toBe(1)
    wait(10_000)
    expect([await hits('a'), await hits('a')]).toEqual([1, 2])
  })

  it('counts a batch whole, or not at all where it goes beyond the limit', async () => {
    const { hits, take, wait } = at(1000)
    const endMs = 1_001_000
    expect(await hits('a')).toBe(1)
    expect(await take('a', 7, 10)).toEqual([8, true, endMs])
    expect(await take('a', 3, 10)).toEqual([11, false, endMs])
    expect(await take('a', 2, 10)).toEqual([10, true, endMs])
    expect(await take('a', 1, 10)).toEqual([11, false, endMs])
    expect(await hits('a')).toBe(11)
    wait(1000)
    expect(await take('a', 10, 10)).toEqual([10, true, endMs + 1000])
  })

  it('counts a batch that no window holds where nothing else is in it, which lasts longer then', async () => {
    const { hits, take, wait, resetMs } = at(1000)
    expect(await hits('a')).toBe(1)
    expect(await take('a', 63, 1)).toEqual([64, true, 1_064_000])
    wait(63_999)
    expect(await resetMs('a')).toBe(1_064_000)
    expect(await take('a', 63, 1)).toEqual([128, false, 1_064_000])
    wait(1)
    expect([await hits('a'), await hits('a')]).toEqual([1, 2])
    expect(await take('a', 63, 1)).toEqual([65, false, 1_065_000])
    expect([await hits('b'), await take('b', 14, 10)]).toEqual([1, [15, true, 1_065_500]])
    expect(await take('c', 30, 10)).toEqual([30, true, 1_067_000])
  })

  it('counts each client by itself', async () => {
    const { hits } = at(1000)
    for (let i = 1; i <= 100; i++) expect(await hits('a')).toBe(i)
    expect(await hits('b')).toBe(1)
  })

  it('keeps the end of the window, however many requests come', async () => {
    const { resetMs, wait } = at(2000)
    expect(await resetMs('a')).toBe(1_002_000)
    wait(1999)
    for (let i = 0; i < 50; i++) expect(await resetMs('a')).toBe(1_002_000)
    wait(1)
    expect(await resetMs('a')).toBe(1_004_000)
  })

  it('takes windows that are no whole milliseconds', async () => {
    const { hits, wait } = at(1000 / 3)
    for (let second = 0; second < 50; second++) {
      for (let third = 0; third < 3; third++) {
        expect(await hits('a')).toBe(1)
        expect(await hits('a')).toBe(2)
        wait(1000 / 3 + 1e-6)
      }
    }
  })

  it.each([-3_600_000, 3_600_000])('does not mind a clock that is set by %d ms', async (jumpMs) => {
    const { hits, resetMs, wait, setClock } = at(1000)
    expect(await hits('a')).toBe(1)
    setClock(jumpMs)
    expect(await hits('a')).toBe(2)
    expect(await resetMs('a')).toBe(1_000_000 + jumpMs + 1000)
    wait(1000)
    expect(await hits('a')).toBe(1)
  })

  it('forgets the client that came longest ago, where there are too many', async () => {
    const { hits } = at(1000, 3)
    for (const client of ['a', 'b', 'c', 'a', 'd']) await hits(client)
    expect([await hits('a'), await hits('c'), await hits('d')]).toEqual([3, 2, 2])
    expect(await hits('b')).toBe(1)
  })

  it('takes a request back, and forgets a client', async () => {
    const { store, hits } = at(1000)
    await hits('a')
    await store.decrement('a')
    await store.decrement('nobody')
    expect([await hits('a'), await hits('a')]).toEqual([1, 2])
    await store.resetKey('a')
    expect(await hits('a')).toBe(1)
  })
})
