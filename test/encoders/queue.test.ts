/** Whose turn it is, by a clock of the test's own. */
import { createBatchBudget } from '#synoptic/models/encoders/batch-budget.js'
import { createQueue } from '#synoptic/models/encoders/queue.js'
import { requestsInFlight, textsPerRequest } from '#synoptic/data/embed/encode-texts.js'
import { expect, test } from 'vitest'

let lastId = 0
const request = (bulk: boolean, requestedMs: number, texts = ['alpha']) => ({
  id: (lastId += 1),
  texts,
  bulk,
  requestedMs,
  pairs: undefined,
})

/** Takes everything of the lane whose turn it is; answers the ids. */
function serve(queue: ReturnType<typeof createQueue>, nowMs: number): number[] {
  const lane = queue.turn(nowMs)
  return lane === undefined
    ? []
    : [...new Set(queue.takeWave(lane).map(({ job }) => job.request.id))]
}

test('interactive work goes first, and nothing is nobody’s turn', () => {
  const queue = createQueue(4, { tokens: () => 512, waveTokens: 1024 })
  expect(queue.turn(0)).toBeUndefined()
  const [bulk, person, other] = [request(true, 0), request(false, 5), request(false, 6)]
  for (const queued of [bulk, person, other]) queue.add(queued)
  expect(serve(queue, 10)).toEqual([person.id, other.id])
  expect(serve(queue, 10)).toEqual([bulk.id])
  expect(queue.turn(10)).toBeUndefined()
})

test('bulk work that has waited for a second gets a turn, then interactive work again', () => {
  const queue = createQueue(4, { tokens: () => 512, waveTokens: 1024 })
  const bulk = request(true, 0, Array<string>(1000).fill('alpha'))
  queue.add(bulk)
  const people = (nowMs: number) => {
    const person = request(false, nowMs)
    queue.add(person)
    return [person.id]
  }
  for (const nowMs of [0, 500, 1000]) {
    const ids = people(nowMs)
    expect(serve(queue, nowMs)).toEqual(ids)
  }
  const waiting = people(1001)
  expect(serve(queue, 1001)).toEqual([bulk.id])
  expect(serve(queue, 1002)).toEqual(waiting)
  const ids = people(2001)
  expect(serve(queue, 2001)).toEqual(ids)
  people(2002)
  expect(serve(queue, 2002)).toEqual([bulk.id])
})

test('cancelled work is never taken', () => {
  const queue = createQueue(4, { tokens: () => 512, waveTokens: 1024 })
  const [first, second] = [request(true, 0), request(true, 0)]
  queue.add(first)
  queue.add(second)
  queue.cancel(first.id)
  queue.cancel(12_345)
  expect(serve(queue, 1)).toEqual([second.id])
  expect(queue.turn(2)).toBeUndefined()
})

test('bulk work fills the largest batch of a GPU, however short its texts are', () => {
  const sizes = [4096, 16_384, 65_536]
  const budget = createBatchBudget(sizes)
  const queue = createQueue(4, budget)
  const tokens = 100
  queue.add(request(true, 0, Array<string>(20_000).fill('alpha')))
  const batches: number[] = []
  for (let lane = queue.turn(0); lane !== undefined; lane = queue.turn(0)) {
    const ids = Array<number>(tokens).fill(5)
    const wave = queue.takeWave(lane).map((text) => ({ ...text, ids }))
    for (const batch of queue.cut(wave)) {
      const padded = batch.length * tokens
      batches.push(padded)
      // The larger a batch, the more tokens a millisecond.
      budget.report(padded, padded, Math.sqrt(padded))
    }
  }
  expect(Math.max(...batches)).toBeGreaterThan(60_000)
})

test('bulk work leaves room for others where no batch is large', () => {
  const queue = createQueue(4, createBatchBudget([256, 2048]))
  queue.add(request(true, 0, Array<string>(1000).fill('alpha')))
  const ids = Array<number>(100).fill(5)
  for (let lane = queue.turn(0); lane !== undefined; lane = queue.turn(0)) {
    const wave = queue.takeWave(lane)
    expect(wave.length).toBeLessThanOrEqual(128)
    queue.cut(wave.map((text) => ({ ...text, ids })))
  }
})

test('a build has enough texts under way to fill the largest batch of a GPU', () => {
  const budget = createBatchBudget([4096, 16_384, 65_536])
  const queue = createQueue(4, budget)
  const tokens = 70
  const batches: number[] = []
  const ask = () => queue.add(request(true, 0, Array<string>(textsPerRequest).fill('alpha')))
  for (let i = 0; i < requestsInFlight; i++) ask()
  for (let wave = 0; wave < 60; wave++) {
    const lane = queue.turn(0)
    if (lane === undefined) throw new Error('nothing waits')
    const ids = Array<number>(tokens).fill(5)
    const texts = queue.takeWave(lane)
    for (const batch of queue.cut(texts.map((text) => ({ ...text, ids })))) {
      const padded = batch.length * tokens
      batches.push(padded)
      budget.report(padded, padded, Math.sqrt(padded))
    }
    const jobs = new Set(texts.map(({ job }) => job))
    for (const { job } of texts) job.open -= 1
    // What is done makes room for the next request.
    for (let done = queue.takeDone(jobs).length; done > 0; done--) ask()
  }
  expect(Math.max(...batches)).toBeGreaterThan(60_000)
})
