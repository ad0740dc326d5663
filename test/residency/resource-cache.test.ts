import { describe, expect, it } from 'vitest'
import {
  createResourceCache,
  type ResourceCache,
  type ResourceCacheOptions,
} from '#synoptic/models/residency/resource-cache.js'
import { deferred } from '../search/deferred.js'

/** Resources that are names, and what became of them. */
function createShelf(limitBytes: number, options?: ResourceCacheOptions) {
  const cache = createResourceCache({ limitBytes, ...options })
  const loads: string[] = []
  const releases: string[] = []
  const kindOf = (prefix: string) => {
    const kind = cache.kind<string>('model', (model) => {
      releases.push(model)
      return Promise.resolve()
    })
    return (name: string, bytes: number, task: (model: string) => Promise<unknown> = nothing) =>
      kind.use(
        name,
        {
          bytes: () => Promise.resolve(bytes),
          open: () => {
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
const namesOf = (cache: ResourceCache) => cache.list('model').map(({ name }) => name)

describe('a resource', () => {
  it('is opened once, however many uses come at the same time', async () => {
    const { cache, use, loads } = createShelf(100)
    const used: string[] = []
    const take = (model: string) => Promise.resolve(used.push(model))
    await Promise.all(Array.from({ length: 10 }, () => use('a', 10, take)))
    await use('a', 10, take)
    expect(loads).toEqual(['a'])
    expect(used).toEqual(Array.from({ length: 11 }, () => 'a'))
    expect(cache.list('model')).toEqual([{ name: 'a', bytes: 10, isOpen: true }])
  })

  it('that cannot be opened fails all who wait, and the next use tries again', async () => {
    const cache = createResourceCache({ limitBytes: 100 })
    const kind = cache.kind<string>('model', nothing)
    let loads = 0
    const source = {
      bytes: () => Promise.resolve(10),
      open: () => {
        loads += 1
        return loads === 1 ? Promise.reject(new Error('broken')) : Promise.resolve('mended')
      },
    }
    const use = () => kind.use('a', source, (model) => Promise.resolve(model))
    const outcomes = await Promise.allSettled([use(), use(), use()])
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    expect(loads).toBe(1)
    expect(cache.list('model')).toEqual([])
    expect(await use()).toBe('mended')
  })

  it('whose size cannot be read fails and leaves nothing behind', async () => {
    const { cache, use } = createShelf(100)
    const kind = cache.kind<string>('model', nothing)
    const source = {
      bytes: () => Promise.reject(new Error('no such model')),
      open: () => Promise.resolve('x'),
    }
    await expect(kind.use('x', source, nothing)).rejects.toThrow('no such model')
    await use('a', 100)
    expect(namesOf(cache)).toEqual(['a'])
  })

  it('stays open after a task that fails, whose use is over', async () => {
    const { use, loads } = createShelf(100)
    await expect(use('a', 10, () => Promise.reject(new Error('task')))).rejects.toThrow('task')
    await use('a', 10)
    expect(loads).toEqual(['a'])
  })
})

describe('a resource that is dropped', () => {
  it('is closed, also while it is being opened, and the next use opens another', async () => {
    const { cache, use, releases } = createShelf(100)
    const kind = cache.kind<string>('model', (model) => void releases.push(model))
    const arrival = deferred()
    const open = () => arrival.promise.then(() => 'first')
    const late = kind.use('a', { open }, (model) => Promise.resolve(model))
    await kind.drop('a')
    await kind.drop('nothing')
    const second = { open: () => Promise.resolve('second') }
    expect(await kind.use('a', second, (model) => Promise.resolve(model))).toBe('second')
    arrival.resolve()
    expect(await late).toBe('first')
    expect(releases).toEqual(['first'])
    await kind.drop('a')
    expect(releases).toEqual(['first', 'second'])
    expect(cache.list('model')).toEqual([])
    await use('b', 10)
    expect(namesOf(cache)).toEqual(['b'])
  })

  it('is closed once, although a use of it is under way', async () => {
    const { cache, releases } = createShelf(10)
    const kind = cache.kind<string>('model', (model) => void releases.push(model))
    const hold = deferred()
    const source = { bytes: () => Promise.resolve(60), open: () => Promise.resolve('x') }
    const busy = kind.use('x', source, () => hold.promise)
    await new Promise(setImmediate)
    await kind.drop('x')
    hold.resolve()
    await busy
    await cache.close()
    expect(releases).toEqual(['x'])
  })
})

describe('what is listed', () => {
  it('is of one label, and says what is still being opened', async () => {
    const { cache, use } = createShelf(100)
    const other = cache.kind<string>('vectors of', nothing)
    await use('a', 10)
    const arrival = deferred()
    const open = () => arrival.promise.then(() => 'x')
    const opening = other.use('x', { open }, nothing)
    expect(cache.list('vectors of')).toEqual([{ name: 'x', bytes: 0, isOpen: false }])
    arrival.resolve()
    await opening
    expect(cache.list('vectors of')).toEqual([{ name: 'x', bytes: 0, isOpen: true }])
    expect(namesOf(cache)).toEqual(['a'])
    expect(cache.closeIdle(0)).toEqual(['model a', 'vectors of x'])
  })
})

describe('the limit', () => {
  it('counts and closes nothing that has no size', async () => {
    const { cache, use, releases } = createShelf(100)
    const sizeless = cache.kind<string>('vectors of', (name) => void releases.push(name))
    await use('a', 90)
    await sizeless.use('x', { open: () => Promise.resolve('x') }, nothing)
    // It was used last, but it is `b` that has to stay.
    await use('b', 90)
    expect(releases).toEqual(['a'])
    expect(namesOf(cache)).toEqual(['b'])
    expect(cache.list('vectors of')).toHaveLength(1)
  })

  it('is kept by closing what was used least recently', async () => {
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
    expect(cache.list('model')).toEqual([{ name: 'a', bytes: 60, isOpen: true }])
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

  it('never takes what is being opened', async () => {
    const { cache, use } = createShelf(100)
    const kind = cache.kind<string>('model', nothing)
    const loading = deferred()
    const open = async () => {
      await loading.promise
      return 'slow'
    }
    const slow = kind.use('slow', { bytes: () => Promise.resolve(90), open }, nothing)
    await use('b', 90)
    expect(namesOf(cache)).toEqual(['slow', 'b'])
    loading.resolve()
    await slow
    expect(namesOf(cache)).toEqual(['slow'])
  })

  it('smaller than a resource lets it serve, and keeps it until the next', async () => {
    const { cache, use, loads, releases } = createShelf(100)
    await use('large', 1000)
    await use('large', 1000)
    expect(loads).toEqual(['large'])
    await use('a', 10)
    expect(releases).toEqual(['large'])
    expect(namesOf(cache)).toEqual(['a'])
  })

  it('has the memory of what went free before the next is opened', async () => {
    const cache = createResourceCache({ limitBytes: 100 })
    const events: string[] = []
    const kind = cache.kind<string>('model', async (model) => {
      await new Promise((resolve) => setImmediate(resolve))
      events.push(`free ${model}`)
    })
    const use = (name: string) => {
      const open = () => {
        events.push(`load ${name}`)
        return Promise.resolve(name)
      }
      return kind.use(name, { bytes: () => Promise.resolve(60), open }, nothing)
    }
    await use('a')
    await use('b')
    expect(events).toEqual(['load a', 'free a', 'load b'])
  })

  it('is no reason to fail when a close does', async () => {
    const cache = createResourceCache({ limitBytes: 100 })
    const kind = cache.kind<string>('model', () => Promise.reject(new Error('stuck')))
    const source = { bytes: () => Promise.resolve(60), open: () => Promise.resolve('x') }
    await kind.use('a', source, nothing)
    await kind.use('b', source, nothing)
    expect(namesOf(cache)).toEqual(['b'])
  })
})

describe('idle resources', () => {
  it('are reported as closed when they are', async () => {
    const order: string[] = []
    const gone = deferred()
    const cache = createResourceCache({ onClosed: () => order.push('gone') })
    const kind = cache.kind<string>('model', async () => {
      await gone.promise
      order.push('released')
    })
    const source = { bytes: () => Promise.resolve(60), open: () => Promise.resolve('x') }
    await kind.use('a', source, nothing)
    expect(cache.closeIdle(0)).toEqual(['model a'])
    await new Promise(setImmediate)
    expect(order).toEqual([])
    gone.resolve()
    await new Promise(setImmediate)
    expect(order).toEqual(['released', 'gone'])
  })

  it('are closed after a while, those in use are not', async () => {
    let clock = 0
    const { cache, use, releases } = createShelf(1000, { now: () => clock })
    const hold = deferred()
    const busy = use('busy', 10, () => hold.promise)
    await use('a', 10)
    clock = 50
    await use('b', 10)
    clock = 100
    expect(cache.closeIdle(100)).toEqual(['model a'])
    expect(releases).toEqual(['a'])
    hold.resolve()
    await busy
    expect(cache.closeIdle(100)).toEqual([])
    clock = 200
    expect(cache.closeIdle(100)).toEqual(['model b', 'model busy'])
    expect(cache.list('model')).toEqual([])
  })
})

describe('a closed cache', () => {
  it('has closed everything and opens no more', async () => {
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

  it('closes what was being opened', async () => {
    const cache = createResourceCache({ limitBytes: 100 })
    const releases: string[] = []
    const kind = cache.kind<string>('model', (model) => Promise.resolve(void releases.push(model)))
    const loading = deferred()
    const open = () => loading.promise.then(() => 'slow')
    const slow = kind.use('slow', { bytes: () => Promise.resolve(1), open }, nothing)
    await cache.close()
    loading.resolve()
    await slow
    expect(releases).toEqual(['slow'])
  })
})
