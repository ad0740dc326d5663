import { describe, expect, it } from 'vitest'
import {
  createModelCache,
  type ModelCache,
  type ModelCacheOptions,
} from '#synoptic/residency/model-cache.js'
import { deferred } from '../search/deferred.js'

/** Models that are names, and what became of them. */
function createShelf(limitBytes: number, options?: ModelCacheOptions) {
  const cache = createModelCache(limitBytes, options)
  const loads: string[] = []
  const releases: string[] = []
  const kindOf = (prefix: string) => {
    const kind = cache.kind<string>((model) => {
      releases.push(model)
      return Promise.resolve()
    })
    return (name: string, bytes: number, task: (model: string) => Promise<unknown> = nothing) =>
      kind.use(
        name,
        {
          bytes: () => Promise.resolve(bytes),
          load: () => {
            loads.push(name)
            return Promise.resolve(`${prefix}${name}`)
          },
        },
        task,
      )
  }
  return { cache, use: kindOf(''), useOther: kindOf('other '), loads, releases }
}

const nothing = () => Promise.resolve()
const namesOf = (cache: ModelCache) => cache.loaded().map(({ name }) => name)

describe('a model', () => {
  it('is loaded once, however many ask for it', async () => {
    const { cache, use, loads } = createShelf(100)
    const used: string[] = []
    const take = (model: string) => Promise.resolve(used.push(model))
    await Promise.all(Array.from({ length: 10 }, () => use('a', 10, take)))
    await use('a', 10, take)
    expect(loads).toEqual(['a'])
    expect(used).toEqual(Array.from({ length: 11 }, () => 'a'))
    expect(cache.loaded()).toEqual([{ name: 'a', bytes: 10 }])
  })

  it('that fails to load is told to all who wait, and tried anew by the next', async () => {
    const cache = createModelCache(100)
    const kind = cache.kind<string>(nothing)
    let loads = 0
    const source = {
      bytes: () => Promise.resolve(10),
      load: () => {
        loads += 1
        return loads === 1 ? Promise.reject(new Error('broken')) : Promise.resolve('mended')
      },
    }
    const use = () => kind.use('a', source, (model) => Promise.resolve(model))
    const outcomes = await Promise.allSettled([use(), use(), use()])
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    expect(loads).toBe(1)
    expect(cache.loaded()).toEqual([])
    expect(await use()).toBe('mended')
  })

  it('whose size cannot be told fails and leaves nothing behind', async () => {
    const { cache, use } = createShelf(100)
    const kind = cache.kind<string>(nothing)
    const source = {
      bytes: () => Promise.reject(new Error('no such model')),
      load: () => Promise.resolve('x'),
    }
    await expect(kind.use('x', source, nothing)).rejects.toThrow('no such model')
    await use('a', 100)
    expect(namesOf(cache)).toEqual(['a'])
  })

  it('stays after a task that fails', async () => {
    const { use, loads } = createShelf(100)
    await expect(use('a', 10, () => Promise.reject(new Error('task')))).rejects.toThrow('task')
    await use('a', 10)
    expect(loads).toEqual(['a'])
  })
})

describe('the limit', () => {
  it('is kept by releasing what was used longest ago', async () => {
    const { cache, use, releases } = createShelf(100)
    await use('a', 40)
    await use('b', 40)
    await use('a', 40)
    await use('c', 40)
    expect(releases).toEqual(['b'])
    expect(namesOf(cache)).toEqual(['a', 'c'])
    await use('d', 70)
    expect(releases).toEqual(['b', 'a', 'c'])
    expect(namesOf(cache)).toEqual(['d'])
  })

  it('counts all kinds together', async () => {
    const { cache, use, useOther, releases } = createShelf(100)
    await use('a', 60)
    await useOther('a', 60)
    expect(releases).toEqual(['a'])
    await use('a', 60)
    expect(releases).toEqual(['a', 'other a'])
    expect(cache.loaded()).toEqual([{ name: 'a', bytes: 60 }])
  })

  it('exactly reached releases nothing', async () => {
    const { use, releases } = createShelf(100)
    await use('a', 60)
    await use('b', 40)
    expect(releases).toEqual([])
  })

  it('never takes what is in use; it goes when it is free', async () => {
    const { cache, use, releases } = createShelf(100)
    const hold = deferred()
    const busy = use('a', 80, () => hold.promise)
    await use('b', 80)
    await use('c', 80)
    expect(releases).toEqual(['b'])
    expect(namesOf(cache)).toEqual(['a', 'c'])
    hold.resolve()
    await busy
    await use('a', 80)
    expect(releases).toEqual(['b', 'c'])
    expect(namesOf(cache)).toEqual(['a'])
  })

  it('never takes what is being loaded', async () => {
    const { cache, use } = createShelf(100)
    const kind = cache.kind<string>(nothing)
    const loading = deferred()
    const load = async () => {
      await loading.promise
      return 'slow'
    }
    const slow = kind.use('slow', { bytes: () => Promise.resolve(90), load }, nothing)
    await use('b', 90)
    expect(namesOf(cache)).toEqual(['slow', 'b'])
    loading.resolve()
    await slow
    expect(namesOf(cache)).toEqual(['slow'])
  })

  it('smaller than a model lets it serve, and keeps it until the next', async () => {
    const { cache, use, loads, releases } = createShelf(100)
    await use('large', 1000)
    await use('large', 1000)
    expect(loads).toEqual(['large'])
    await use('a', 10)
    expect(releases).toEqual(['large'])
    expect(namesOf(cache)).toEqual(['a'])
  })

  it('has the memory of what went free before the next is loaded', async () => {
    const cache = createModelCache(100)
    const events: string[] = []
    const kind = cache.kind<string>(async (model) => {
      await new Promise((resolve) => setImmediate(resolve))
      events.push(`free ${model}`)
    })
    const use = (name: string) => {
      const load = () => {
        events.push(`load ${name}`)
        return Promise.resolve(name)
      }
      return kind.use(name, { bytes: () => Promise.resolve(60), load }, nothing)
    }
    await use('a')
    await use('b')
    expect(events).toEqual(['load a', 'free a', 'load b'])
  })

  it('is no reason to fail when a release does', async () => {
    const cache = createModelCache(100)
    const kind = cache.kind<string>(() => Promise.reject(new Error('stuck')))
    const source = { bytes: () => Promise.resolve(60), load: () => Promise.resolve('x') }
    await kind.use('a', source, nothing)
    await kind.use('b', source, nothing)
    expect(namesOf(cache)).toEqual(['b'])
  })
})

describe('idle models', () => {
  it('are told to be gone when they are', async () => {
    const told: string[] = []
    const gone = deferred()
    const cache = createModelCache(100, { freed: () => told.push('gone') })
    const kind = cache.kind<string>(async () => {
      await gone.promise
      told.push('released')
    })
    const source = { bytes: () => Promise.resolve(60), load: () => Promise.resolve('x') }
    await kind.use('a', source, nothing)
    expect(cache.closeIdle(0)).toEqual(['a'])
    await new Promise(setImmediate)
    expect(told).toEqual([])
    gone.resolve()
    await new Promise(setImmediate)
    expect(told).toEqual(['released', 'gone'])
  })

  it('are released after a while, those in use are not', async () => {
    let clock = 0
    const { cache, use, releases } = createShelf(1000, { now: () => clock })
    const hold = deferred()
    const busy = use('busy', 10, () => hold.promise)
    await use('a', 10)
    clock = 50
    await use('b', 10)
    clock = 100
    expect(cache.closeIdle(100)).toEqual(['a'])
    expect(releases).toEqual(['a'])
    hold.resolve()
    await busy
    expect(cache.closeIdle(100)).toEqual([])
    clock = 200
    expect(cache.closeIdle(100)).toEqual(['b', 'busy'])
    expect(cache.loaded()).toEqual([])
  })
})

describe('a closed cache', () => {
  it('has released all and loads no more', async () => {
    const { cache, use, releases } = createShelf(1000)
    const hold = deferred()
    const busy = use('a', 10, () => hold.promise)
    await use('b', 10)
    await cache.close()
    await cache.close()
    expect(releases.toSorted()).toEqual(['a', 'b'])
    hold.resolve()
    await busy
    await expect(use('c', 10)).rejects.toThrow('closed')
  })

  it('releases what was being loaded', async () => {
    const cache = createModelCache(100)
    const releases: string[] = []
    const kind = cache.kind<string>((model) => Promise.resolve(void releases.push(model)))
    const loading = deferred()
    const load = () => loading.promise.then(() => 'slow')
    const slow = kind.use('slow', { bytes: () => Promise.resolve(1), load }, nothing)
    await cache.close()
    loading.resolve()
    await slow
    expect(releases).toEqual(['slow'])
  })
})
