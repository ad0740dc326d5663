import { describe, expect, it } from 'vitest'
import { createPairQueue } from '#synoptic/models/encoders/cross-queue.js'
import type { Job, Piece, Queue } from '#synoptic/models/encoders/queue.js'

/** 1,024 tokens a batch. */
const threads = 4

function request(id: number, count: number, batchSize: number) {
  const texts = Array.from({ length: count }, (_, i) => `text ${i}`)
  return { id, texts, bulk: false, requestedMs: 0, pairs: { query: 'query', batchSize } }
}

/** Takes a turn as the worker does, with texts of `length` tokens; answers the batch. */
function takeTurn(queue: Queue, length: (index: number) => number = () => 8): Piece[] | undefined {
  const lane = queue.turn(0)
  if (lane === undefined) return undefined
  if (lane.batches.length === 0) {
    const wave = queue.takeWave(lane)
    const pieces = wave.map(({ job, index }) => {
      return { job, index, ids: new Array<number>(length(index)).fill(1) }
    })
    lane.batches.push(...queue.cut(pieces))
  }
  const batch = lane.batches.shift() ?? []
  for (const { job } of batch) job.open -= 1
  return batch
}

function drain(queue: Queue, length?: (index: number) => number): Piece[][] {
  const batches: Piece[][] = []
  for (let batch = takeTurn(queue, length); batch; batch = takeTurn(queue, length)) {
    batches.push(batch)
  }
  return batches
}

const idOf = (batch: readonly Piece[]) => batch[0]?.job.request.id
const jobsOf = (batches: readonly (readonly Piece[])[]): Set<Job> =>
  new Set(batches.flat().map(({ job }) => job))

describe('a pair queue', () => {
  it('has no turn when nothing waits', () => {
    expect(createPairQueue('cpu', threads).turn(0)).toBeUndefined()
  })

  it.each([
    [1, 5, [1, 1, 1, 1, 1]],
    [8, 20, [8, 8, 4]],
    [32, 100, [32, 32, 32, 4]],
    [512, 100, [100]],
    [8, 200, new Array<number>(25).fill(8)],
  ])('makes batches of %i of %i pairs', (batchSize, count, sizes) => {
    const queue = createPairQueue('cpu', threads)
    queue.add(request(1, count, batchSize))
    const batches = drain(queue)
    expect(batches.map(({ length }) => length)).toEqual(sizes)
    const indexes = batches.flat().map(({ index }) => index)
    expect(indexes.toSorted((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, i) => i))
  })

  it('sorts by length, the longest first', () => {
    const queue = createPairQueue('cpu', threads)
    queue.add(request(1, 40, 8))
    const lengths = drain(queue, (index) => 3 + ((index * 7) % 40))
      .flat()
      .map(({ ids }) => ids.length)
    expect(lengths).toEqual(lengths.toSorted((a, b) => b - a))
  })

  it.each([
    ['cpu', threads, [...new Array<number>(12).fill(2), 64, 12]],
    // As much as there is memory for.
    ['cpu', 64, [8, 8, 8, 76]],
    ['cuda:0', threads, [64, 36]],
  ])('makes smaller batches of what is too long for %s with %i threads', (device, count, sizes) => {
    const queue = createPairQueue(device, count)
    queue.add(request(1, 100, 512))
    const batches = drain(queue, (index) => (index < 24 || device !== 'cpu' ? 512 : 16))
    expect(batches.map(({ length }) => length)).toEqual(sizes)
  })

  it('takes a pair that is too long for a batch by itself', () => {
    const queue = createPairQueue('cpu', 1)
    queue.add(request(1, 3, 8))
    expect(drain(queue, () => 512).map(({ length }) => length)).toEqual([1, 1, 1])
  })

  it('gives every request a batch in turn', () => {
    const queue = createPairQueue('cpu', threads)
    queue.add(request(1, 32, 8))
    queue.add(request(2, 16, 8))
    queue.add(request(3, 8, 8))
    expect(drain(queue).map(idOf)).toEqual([1, 2, 3, 1, 2, 1, 1])
  })

  it('serves a request that comes later before a large one ends', () => {
    const queue = createPairQueue('cpu', threads)
    queue.add(request(1, 1_000_000, 8))
    takeTurn(queue)
    takeTurn(queue)
    queue.add(request(2, 8, 8))
    expect([takeTurn(queue), takeTurn(queue)].map((batch) => idOf(batch ?? []))).toContain(2)
  })

  it('drops what is cancelled, tokenised or not', () => {
    const queue = createPairQueue('cpu', threads)
    queue.add(request(1, 1_000_000, 8))
    queue.add(request(2, 8, 8))
    expect(idOf(takeTurn(queue) ?? [])).toBe(1)
    queue.cancel(1)
    expect(drain(queue).map(idOf)).toEqual([2])
    expect(queue.turn(0)).toBeUndefined()
  })

  it('ignores the cancelling of what it does not know', () => {
    const queue = createPairQueue('cpu', threads)
    queue.add(request(1, 8, 8))
    queue.cancel(7)
    expect(drain(queue)).toHaveLength(1)
  })

  it('completes each request once', () => {
    const queue = createPairQueue('cpu', threads)
    queue.add(request(1, 9, 8))
    const first = takeTurn(queue) ?? []
    expect(queue.takeDone(jobsOf([first]))).toEqual([])
    const jobs = jobsOf([first, takeTurn(queue) ?? []])
    expect(queue.takeDone(jobs).map((job) => job.request.id)).toEqual([1])
    expect(queue.takeDone(jobs)).toEqual([])
  })
})
