/** What a batch does to the jobs in it, and to what is known of the model's speed. */
import type { Model } from '#synoptic/models/encoders/model.js'
import { createJob } from '#synoptic/models/encoders/queue.js'
import { embedBatch } from '#synoptic/models/encoders/work.js'
import { expect, test } from 'vitest'

const pieceOf = () => {
  const request = { id: 1, texts: ['alpha'], bulk: true, requestedMs: 0, pairs: undefined }
  return { job: createJob(request, 2), index: 0, ids: [5] }
}

const modelOf = (embed: Model['embed']): Model => ({
  dimension: 2,
  maxTokens: 16,
  cosineInBatch: 1,
  vocabulary: { size: 100, before: [], after: [], areRead: true },
  batchSizes: [256],
  embed,
  tokenize: () => Promise.resolve([]),
  release: () => Promise.resolve(),
})

test('a batch that fails is not one that the model has read', async () => {
  const piece = pieceOf()
  const outOfMemory = modelOf(() => Promise.reject(new Error('out of memory')))
  expect(await embedBatch(outOfMemory, [piece])).toBe(false)
  expect(piece.job).toMatchObject({ error: 'out of memory', open: 0, cancelled: true })
})

test('a batch that succeeds is, also where a vector is not finite', async () => {
  const [good, bad] = [pieceOf(), pieceOf()]
  const model = modelOf(() => Promise.resolve(Float32Array.of(1, 2, NaN, 3)))
  expect(await embedBatch(model, [good, bad])).toBe(true)
  expect([...good.job.vectors]).toEqual([1, 2])
  expect(good.job.error).toBeUndefined()
  expect(bad.job).toMatchObject({ badTexts: [0], open: 0 })
})
