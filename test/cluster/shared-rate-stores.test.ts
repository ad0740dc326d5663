import { describe, expect, it } from 'vitest'
import { countedMessage, type WorkerMessage } from '#synoptic/server/cluster/messages.js'
import { createSharedRateStores } from '#synoptic/server/cluster/shared-rate-stores.js'

describe('the rate stores of a worker', () => {
  function workerOf(...groups: Parameters<typeof createSharedRateStores>[0]) {
    const sent: WorkerMessage[] = []
    return { sent, ...createSharedRateStores(groups, (message) => void sent.push(message)) }
  }
  const resetTime = new Date(1_800_000_000_000)

  it('give each request the count that the primary sends for it, in any order', async () => {
    const { sent, stores, receive } = workerOf('searchmodel', 'models')
    const first = stores.get('searchmodel')?.increment('a')
    const second = stores.get('models')?.increment('b')
    expect(sent).toEqual([
      { kind: 'count', id: 1, group: 'searchmodel', client: 'a' },
      { kind: 'count', id: 2, group: 'models', client: 'b' },
    ])
    receive(countedMessage(2, { totalHits: 7, resetTime }))
    receive(countedMessage(1, { totalHits: 3, resetTime }))
    expect(await first).toMatchObject({ totalHits: 3, resetTime })
    expect(await second).toMatchObject({ totalHits: 7, resetTime })
  })

  it('send what a batch costs', async () => {
    const { sent, stores, receive } = workerOf('searchmodel')
    const batch = { cost: 63, limit: 100 }
    const counting = stores.get('searchmodel')?.take('a', batch)
    expect(sent).toEqual([{ kind: 'count', id: 1, group: 'searchmodel', client: 'a', batch }])
    receive(countedMessage(1, { totalHits: 64, resetTime, isTaken: true }))
    expect(await counting).toEqual({ totalHits: 64, resetTime, isTaken: true })
    const refused = stores.get('searchmodel')?.take('a', batch)
    receive(countedMessage(2, { totalHits: 127, resetTime, isTaken: false }))
    expect(await refused).toEqual({ totalHits: 127, resetTime, isTaken: false })
  })

  it('pass over other messages, and counts that nobody waits for', async () => {
    const { stores, receive } = workerOf('searchmodel')
    const counting = stores.get('searchmodel')?.increment('a')
    receive({ kind: 'reload' })
    receive(countedMessage(99, { totalHits: 9, resetTime }))
    receive(countedMessage(1, { totalHits: 1, resetTime }))
    receive(countedMessage(1, { totalHits: 2, resetTime }))
    expect((await counting)?.totalHits).toBe(1)
  })

  it('exist for groups that have a limit alone', () => {
    expect([...workerOf('search').stores.keys()]).toEqual(['search'])
    expect(workerOf().stores.size).toBe(0)
  })
})
