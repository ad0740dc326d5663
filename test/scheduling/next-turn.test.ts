import { createTurns, nextTurn } from '#synoptic/scheduling/next-turn.js'
import { expect, it } from 'vitest'

/** Counts the iterations of the event loop until the task is done. */
async function withIterations(task: (iteration: () => number) => Promise<void>): Promise<void> {
  let iterations = 0
  let isOver = false
  const count = () => {
    iterations += 1
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  await task(() => iterations)
  isOver = true
}

it('gives everybody an iteration of the event loop, in the order in which they came', async () => {
  await withIterations(async (iteration) => {
    const turns: { caller: number; at: number }[] = []
    const callers = Array.from({ length: 20 }, async (_, caller) => {
      await nextTurn()
      turns.push({ caller, at: iteration() })
    })
    await Promise.all(callers)
    expect(turns.map(({ caller }) => caller)).toEqual([...callers.keys()])
    expect(new Set(turns.map(({ at }) => at)).size).toBe(20)
  })
})

it('starts again after all have had theirs, and lets those who had one ask for another', async () => {
  await withIterations(async (iteration) => {
    const first = iteration()
    await nextTurn()
    await Promise.all([nextTurn().then(nextTurn), nextTurn()])
    expect(iteration() - first).toBeGreaterThanOrEqual(3)
  })
})

it('lets as many go on in an iteration as have time, in the order in which they came', async () => {
  const turn = createTurns(200)
  await withIterations(async (iteration) => {
    const turns: { caller: number; at: number }[] = []
    const callers = Array.from({ length: 12 }, async (_, caller) => {
      await turn()
      // What follows counts as well, not only the call.
      await Promise.resolve()
      turns.push({ caller, at: iteration() })
      const endMs = performance.now() + 201
      while (caller % 6 === 0 && performance.now() < endMs);
    })
    await Promise.all(callers)
    expect(turns.map(({ caller }) => caller)).toEqual([...callers.keys()])
    const [first = 0] = turns.map(({ at }) => at)
    // Callers 0 and 6 take more than an iteration has; those after them wait for the next.
    const expected = [0, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2]
    expect(turns.map(({ at }) => at - first)).toEqual(expected)
  })
})

it('begins an iteration after all who waited have gone on', async () => {
  const turn = createTurns(1000)
  await withIterations(async (iteration) => {
    await turn()
    const first = iteration()
    await turn()
    expect(iteration()).toBeGreaterThan(first)
  })
})

it('lets no more than sixteen go on in an iteration, however short what they do is', async () => {
  const turn = createTurns(1000)
  await withIterations(async (iteration) => {
    const at: number[] = []
    const callers = Array.from({ length: 40 }, () => turn().then(() => at.push(iteration())))
    await Promise.all(callers)
    const [first = 0] = at
    const iterations = [0, 1, 2].map((later) => at.filter((n) => n === first + later).length)
    expect(iterations).toEqual([16, 16, 8])
  })
})
