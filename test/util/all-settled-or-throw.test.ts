import { describe, expect, test } from 'vitest'
import { setImmediate } from 'node:timers/promises'
import { allSettledOrThrow } from '#synoptic/base/util/all-settled-or-throw.js'

const turns = async <T>(count: number, result: T): Promise<T> => {
  for (let turn = 0; turn < count; turn += 1) await setImmediate()
  return result
}

const failing = async (count: number, message: string): Promise<never> => {
  await turns(count, undefined)
  throw new Error(message)
}

describe('together', () => {
  test('answers in the order of the work', async () => {
    expect(await allSettledOrThrow(turns(3, 'slow'), turns(0, 1))).toEqual(['slow', 1])
  })

  test('rejects when the last has settled', async () => {
    let isDone = false
    const slow = turns(5, undefined).then(() => (isDone = true))
    await expect(allSettledOrThrow(failing(0, 'at once'), slow)).rejects.toThrow('at once')
    expect(isDone).toBe(true)
  })

  test('rejects with the first in their order', async () => {
    await expect(allSettledOrThrow(failing(4, 'late'), failing(0, 'early'))).rejects.toThrow('late')
  })
})
