import { createBatchBudget } from '#synoptic/models/encoders/batch-budget.js'
import { loadModel } from '#synoptic/models/encoders/model.js'
import { expect, test } from 'vitest'
import { openHarness, tiny, tinyStatic } from './harness.js'

/** Runs waves through a budget on a machine whose speed depends on the size of a batch. */
function work(waves: number, waveTokens: number, tokensPerMs: (batch: number) => number) {
  const budget = createBatchBudget([256, 512, 1024])
  const used: number[] = []
  for (let wave = 0; wave < waves; wave++) {
    const size = budget.tokens(waveTokens)
    used.push(size)
    for (let left = waveTokens; left > 0; left -= size) {
      const batch = Math.min(size, left)
      budget.report(batch, batch, batch / tokensPerMs(batch))
    }
  }
  return used
}

test.each<[string, (batch: number) => number, number]>([
  ['the fastest size', (batch) => ({ 256: 5, 512: 9, 1024: 7 })[batch] ?? 1, 512],
  ['the largest where it is worth it', (batch) => batch, 1024],
  ['the smallest where all are alike', () => 8, 256],
  ['the smallest where the gain is small', (batch) => 8 + batch / 10_000, 256],
])('chooses %s', (_, tokensPerMs, expected) => {
  const used = work(12, 4096, tokensPerMs)
  expect(new Set(used.slice(0, 3))).toEqual(new Set([256, 512, 1024]))
  expect(new Set(used.slice(4))).toEqual(new Set([expected]))
})

test('what cannot be filled is neither tried nor waited for', () => {
  expect(new Set(work(50, 600, (batch) => batch))).toEqual(new Set([256]))
})

test('a size that no batch fills is given up', () => {
  const budget = createBatchBudget([256, 512])
  const used = Array.from({ length: 20 }, () => {
    const size = budget.tokens(5000)
    // Texts so long that each is a batch of its own, and far from full.
    budget.report(100, 100, 10)
    return size
  })
  expect(used.filter((size) => size === 512).length).toBeLessThan(4)
})

test('with one size there is nothing to choose, with none a text is a batch', () => {
  expect(createBatchBudget([8192]).tokens(100_000)).toBe(8192)
  expect(createBatchBudget([]).tokens(100_000)).toBe(1)
})

test.each<[number, readonly number[]]>([
  [1, [256, 512]],
  [2, [256, 512, 1024]],
  [3, [256, 512, 1024]],
  [4, [256, 512, 1024, 2048]],
  [64, [256, 512, 1024, 2048]],
])('a transformer with %d threads has the sizes %j to choose among', async (threads, sizes) => {
  const folder = openHarness().write(tiny)
  const model = await loadModel(folder, { threads, device: 'cpu' })
  expect(model.batchSizes).toEqual(sizes)
  await model.release()
})

test('a static model has one size, whatever its threads', async () => {
  const folder = openHarness().write(tinyStatic, { kind: 'StaticEmbedding' })
  for (const threads of [1, 8]) {
    const model = await loadModel(folder, { threads, device: 'cpu' })
    expect(model.batchSizes).toEqual([8192])
    await model.release()
  }
})
