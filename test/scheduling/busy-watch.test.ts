/** How many threads may scan, as the thread that answers gets busy and idle. */
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { watchBusy } from '#synoptic/native/scheduling/busy-watch.js'

const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

function watch(threads: number) {
  const limits: number[] = []
  const stop = watchBusy(threads, (limit) => limits.push(limit))
  stops.push(stop)
  return { limits, stop }
}

/** Leaves this thread about a tenth of its time. */
async function keepBusyUntil(condition: () => boolean): Promise<void> {
  for (const endMs = performance.now() + 170_000; performance.now() < endMs && !condition();) {
    for (const restMs = performance.now() + 20; performance.now() < restMs;);
    await delay(2)
  }
}

describe('the threads that scan', () => {
  test('are one less while the thread that answers is busy, and all when it is idle again', async () => {
    const { limits } = watch(4)
    await keepBusyUntil(() => limits.length > 0)
    expect(limits).toEqual([3])
    await vi.waitFor(() => expect(limits).toEqual([3, 4]), { timeout: 170_000 })
  })

  test('are all while it is idle, without a report', async () => {
    // A thread looks busy while others have its processor, so one idle while is enough.
    await vi.waitFor(
      async () => {
        const { limits } = watch(4)
        await delay(350)
        expect(limits).toEqual([])
      },
      { timeout: 60_000 },
    )
  })

  test('are never none', async () => {
    const { limits } = watch(1)
    const beginMs = performance.now()
    await keepBusyUntil(() => performance.now() - beginMs > 400)
    expect(limits).toEqual([])
  })

  test('are all again when nobody watches', async () => {
    const { limits, stop } = watch(2)
    await keepBusyUntil(() => limits.length > 0)
    stop()
    expect(limits).toEqual([1, 2])
  })
})
