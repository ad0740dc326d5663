import type { WorkDataset } from '#synoptic/data/catalogue/dataset.js'
import { describe, expect, it } from 'vitest'
import type { DatasetInfo } from '#synoptic/data/catalogue/catalogue.js'
import { createCollectionStore, type Collection } from '#synoptic/search/index/store.js'
import { createResourceCache } from '#synoptic/models/residency/resource-cache.js'
import { deferred } from '../search/deferred.js'
import { createWorld, indexOf } from '../search/world.js'

const { content, catalogue } = createWorld()
const [anime, manga] = catalogue.datasets() as [DatasetInfo, DatasetInfo]
const take = (collection: Collection) => Promise.resolve(collection)

describe('the store of collections', () => {
  it('opens one collection, however many ask at the same time', async () => {
    let opened = 0
    const store = createCollectionStore(createResourceCache(), (dataset) => {
      opened += 1
      return Promise.resolve(indexOf(content[dataset.name as WorkDataset]))
    })
    const [first, second, other] = await Promise.all([
      store.use(anime, 'm', take),
      store.use(anime, 'm', take),
      store.use(manga, 'm', take),
    ])
    expect(first).toBe(second)
    expect(other).not.toBe(first)
    expect(opened).toBe(2)
    expect(store.opened('anime')).toEqual(['m'])
    expect(store.opened('manga')).toEqual(['m'])
  })

  it('passes a failure to all callers, and tries again for the next', async () => {
    let attempts = 0
    const store = createCollectionStore(createResourceCache(), (dataset) => {
      attempts += 1
      if (attempts === 1) return Promise.reject(new Error('disk gone'))
      return Promise.resolve(indexOf(content[dataset.name as WorkDataset]))
    })
    const both = await Promise.allSettled([
      store.use(anime, 'm', take),
      store.use(anime, 'm', take),
    ])
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(store.opened('anime')).toEqual([])
    await expect(store.use(anime, 'm', take)).resolves.toMatchObject({ validRows: 52 })
    expect(attempts).toBe(2)
  })

  it('closes what was idle long enough, but nothing in use', async () => {
    let time = 0
    const { collections, cache, indexes } = createWorld(() => time)
    const { promise, resolve: finish } = deferred()
    const held = collections.use(anime, 'm', () => promise)
    await collections.use(manga, 'm', take)
    time = 100
    cache.closeIdle(101)
    expect(indexes.map(({ isClosed }) => isClosed)).toEqual([false, false])
    cache.closeIdle(100)
    expect(indexes.map(({ isClosed }) => isClosed)).toEqual([false, true])
    finish()
    await held
    time = 150
    cache.closeIdle(100)
    expect(indexes[0]?.isClosed).toBe(false)
    time = 200
    cache.closeIdle(100)
    expect(indexes[0]?.isClosed).toBe(true)
    await collections.use(anime, 'm', take)
    expect(indexes).toHaveLength(3)
  })

  it('closes all once, those still opening too, and opens no more', async () => {
    const index = indexOf(content.anime)
    const arrival = deferred()
    const cache = createResourceCache()
    const store = createCollectionStore(cache, () => arrival.promise.then(() => index))
    const late = store.use(anime, 'm', take)
    await cache.close()
    await cache.close()
    arrival.resolve()
    await late
    expect(index.isClosed).toBe(true)
    await expect(store.use(anime, 'm', take)).rejects.toThrow('closed')
  })

  it.each([
    ['other rows', { ...anime, rows: 58 }],
    ['columns that the dataset does not have', { ...anime, columns: ['synopsis'] }],
  ])('refuses an index with %s', async (_, dataset) => {
    const index = indexOf(content.anime)
    const store = createCollectionStore(createResourceCache(), () => Promise.resolve(index))
    await expect(store.use(dataset, 'm', take)).rejects.toThrow(/expected .* received/)
    expect(index.isClosed).toBe(true)
  })
})
