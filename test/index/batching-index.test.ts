import { describe, expect, it } from 'vitest'
import { maskOf } from '#synoptic/base/util/row-mask.js'
import { createBatchingIndex } from '#synoptic/search/index/batching-index.js'
import { deferred } from '../search/deferred.js'
import { createWorld, indexOf } from '../search/world.js'
import { wordVector } from '../search/word-encoder.js'

const { content } = createWorld()
const queries = ['robot school', 'ghost cat island', 'dragon king', 'murder in the rain'].map(
  wordVector,
)

function createTestIndex() {
  const alone = indexOf(content.anime)
  const inner = indexOf(content.anime)
  return { alone, inner, index: createBatchingIndex(inner) }
}

describe('a batching index', () => {
  it('resolves queries of one turn in one shared scan, each as if it were alone', async () => {
    const { alone, inner, index } = createTestIndex()
    const answers = await Promise.all(queries.map((query) => index.search(query, 1, 10)))
    expect(inner.sizes).toEqual([4])
    for (const [i, query] of queries.entries()) {
      expect(answers[i]).toEqual(await alone.search(query, 1, 10))
    }
  })

  it('lets what comes during a shared scan share the next', async () => {
    const { inner, index } = createTestIndex()
    const held = deferred()
    inner.hold = held.promise
    const first = index.search(queries[0] ?? new Float32Array(), 1, 5)
    await new Promise(setImmediate)
    const later = queries.slice(1).map((query) => index.search(query, 1, 5))
    await new Promise(setImmediate)
    expect(inner.sizes).toEqual([1])
    held.resolve()
    await Promise.all([first, ...later])
    expect(inner.sizes).toEqual([1, 3])
  })

  it('scans apart for other numbers of hits', async () => {
    const { alone, inner, index } = createTestIndex()
    const depths = [10, 3, 10, 3]
    const answers = await Promise.all(
      queries.map((query, i) => index.search(query, 1, depths[i] ?? 0)),
    )
    expect(inner.sizes).toEqual([2, 2])
    for (const [i, query] of queries.entries()) {
      expect(answers[i]).toEqual(await alone.search(query, 1, depths[i] ?? 0))
    }
  })

  it('scans together for the same mask, and apart for others', async () => {
    const { alone, inner, index } = createTestIndex()
    const [even, odd] = [0, 1].map((rest) =>
      maskOf(
        57,
        Array.from({ length: 57 }, (_, row) => row).filter((row) => row % 2 === rest),
      ),
    )
    const parts = [even, odd, even, undefined].map((mask) => (mask === undefined ? {} : { mask }))
    const answers = await Promise.all(
      queries.map((query, i) => index.search(query, 1, 10, parts[i])),
    )
    expect(inner.sizes).toEqual([2, 1, 1])
    for (const [i, query] of queries.entries()) {
      expect(answers[i]).toEqual(await alone.search(query, 1, 10, parts[i]))
    }
    expect(answers[0]?.rows.every((row) => row % 2 === 0)).toBe(true)
  })

  it('gives each of 60 that share a scan the result of its own query', async () => {
    const { alone, inner, index } = createTestIndex()
    const many = Array.from(
      { length: 60 },
      (_, i) => queries[i % queries.length] ?? new Float32Array(),
    )
    const answers = await Promise.all(many.map((query) => index.search(query, 1, 10)))
    expect(inner.sizes).toEqual([60])
    for (const [i, query] of many.entries()) {
      expect(answers[i]).toEqual(await alone.search(query, 1, 10))
    }
  })

  it('takes at most 64 queries into a shared scan', async () => {
    const { inner, index } = createTestIndex()
    const many = Array.from({ length: 150 }, (_, i) => queries[i % 4] ?? new Float32Array())
    await Promise.all(many.map((query) => index.search(query, 1, 2)))
    expect(inner.sizes).toEqual([64, 64, 22])
  })

  it('passes on what is no single query over the whole', async () => {
    const { inner, index } = createTestIndex()
    const both = new Float32Array([...(queries[0] ?? []), ...(queries[1] ?? [])])
    await Promise.all([
      index.search(both, 2, 3),
      index.search(queries[0] ?? both, 1, 3, { columns: [0] }),
      index.search(queries[0] ?? both, 1, 3, { distinct: false }),
    ])
    expect(inner.sizes).toEqual([2, 1, 1])
    expect([index.rows, index.dimension, index.columns]).toEqual([57, 64, inner.columns])
    expect(index.stats()).toEqual(inner.stats())
  })
})

describe('a batching index refuses', () => {
  it('only the query that is bad', async () => {
    const { alone, index } = createTestIndex()
    const [good = new Float32Array()] = queries
    const settled = await Promise.allSettled([
      index.search(good, 1, 3),
      index.search(new Float32Array(64), 1, 3),
      index.search(good, 1, 3),
    ])
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(settled[2]).toMatchObject({ value: await alone.search(good, 1, 3) })
  })

  it('what was aborted while it waited, and scans without it', async () => {
    const { inner, index } = createTestIndex()
    const held = deferred()
    inner.hold = held.promise
    const [query = new Float32Array()] = queries
    const first = index.search(query, 1, 3)
    await new Promise(setImmediate)
    const controller = new AbortController()
    const left = index.search(query, 1, 3, { signal: controller.signal })
    const stayed = index.search(query, 1, 3)
    const reason = new Error('left')
    controller.abort(reason)
    held.resolve()
    await expect(left).rejects.toBe(reason)
    await Promise.all([first, stayed])
    expect(inner.sizes).toEqual([1, 1])
  })

  it('all that waits when it is closed', async () => {
    const { inner, index } = createTestIndex()
    const held = deferred()
    inner.hold = held.promise
    const [query = new Float32Array()] = queries
    const first = index.search(query, 1, 3)
    await new Promise(setImmediate)
    const later = [index.search(query, 1, 3), index.search(query, 1, 3)]
    index.close()
    held.resolve()
    await first
    for (const search of later) await expect(search).rejects.toThrow('closed')
    await expect(index.search(query, 1, 3)).rejects.toThrow('closed')
  })
})
