import { describe, expect, it } from 'vitest'
import { createIdlePool } from '#synoptic/residency/idle-pool.js'
import { deferred } from '../search/deferred.js'

function createTestPool() {
  const closed: string[] = []
  const clock = { ms: 0 }
  const pool = createIdlePool<{ name: string }>(
    (_, name) => closed.push(name),
    () => clock.ms,
  )
  const open = (name: string) => () => Promise.resolve({ name })
  return { pool, closed, clock, open }
}

describe('an idle pool', () => {
  it('opens a thing once for all who ask while it opens', async () => {
    const { pool } = createTestPool()
    const opening = deferred()
    let opened = 0
    const open = async () => {
      opened += 1
      await opening.promise
      return { name: 'a' }
    }
    const uses = [1, 2, 3].map((task) => pool.use('a', open, () => Promise.resolve(task)))
    expect(pool.opened()).toEqual([])
    opening.resolve()
    expect(await Promise.all(uses)).toEqual([1, 2, 3])
    expect(opened).toBe(1)
    expect(pool.opened()).toEqual(['a'])
  })

  it('passes on what a task throws, and counts its use as over', async () => {
    const { pool, clock, open, closed } = createTestPool()
    await expect(pool.use('a', open('a'), () => Promise.reject(new Error('task')))).rejects.toThrow(
      'task',
    )
    clock.ms = 10
    expect(pool.closeIdle(10)).toEqual(['a'])
    expect(closed).toEqual(['a'])
  })

  it('does not keep a failure, even of an open that throws at once', async () => {
    const { pool, open } = createTestPool()
    const fail = () => Promise.reject(new Error('disk'))
    await expect(pool.use('a', fail, () => Promise.resolve())).rejects.toThrow('disk')
    expect(await pool.use('a', open('a'), ({ name }) => Promise.resolve(name))).toBe('a')
  })

  it('measures idleness from the end of the last use', async () => {
    const { pool, clock, open, closed } = createTestPool()
    const held = deferred()
    const use = pool.use('a', open('a'), () => held.promise)
    clock.ms = 1000
    expect(pool.closeIdle(1)).toEqual([])
    held.resolve()
    await use
    expect(pool.closeIdle(1)).toEqual([])
    clock.ms = 1001
    expect(pool.closeIdle(1)).toEqual(['a'])
    expect(pool.closeIdle(1)).toEqual([])
    expect(closed).toEqual(['a'])
  })

  it('drops a thing that is spoiled, even one that is still opening, and opens another', async () => {
    const { pool, open, closed } = createTestPool()
    const arrival = deferred()
    const late = pool.use(
      'a',
      () => arrival.promise.then(() => ({ name: 'first' })),
      ({ name }) => Promise.resolve(name),
    )
    pool.drop('a')
    pool.drop('nothing')
    expect(await pool.use('a', open('second'), ({ name }) => Promise.resolve(name))).toBe('second')
    arrival.resolve()
    expect(await late).toBe('first')
    expect(closed).toEqual(['a'])
    pool.drop('a')
    expect(closed).toEqual(['a', 'a'])
    expect(pool.opened()).toEqual([])
  })

  it('closes each thing once at the end, one that arrives late too', async () => {
    const { pool, open, closed } = createTestPool()
    const arrival = deferred()
    await pool.use('a', open('a'), () => Promise.resolve())
    const late = pool.use(
      'b',
      () => arrival.promise.then(() => ({ name: 'b' })),
      () => Promise.resolve(),
    )
    pool.close()
    pool.close()
    arrival.resolve()
    await late
    expect(closed).toEqual(['a', 'b'])
    await expect(pool.use('a', open('a'), () => Promise.resolve())).rejects.toThrow('closed')
  })
})
