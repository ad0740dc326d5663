/** The plan of what fits a GPU, for a device that is not here. */
import { describe, expect, it } from 'vitest'
import { planOf } from '#synoptic/server/serve/gpu-fit.js'

const need = {
  dataset: 'anime',
  model: 'builtin/static-en',
  rows: 1000,
  dimension: 256,
  columns: 4,
  isBuilt: true,
  fewBytes: 1e6,
  batchBytes: 5e8,
  scoreBytes: 1e9,
  allBytes: 1.5e9,
}

describe('planOf', () => {
  it('says of each kind of search whether it fits with the workspaces', () => {
    expect(planOf(need, 1e9)).toEqual({
      dataset: 'anime',
      model: 'builtin/static-en',
      built: true,
      few: { bytes: 1e6, fits: true },
      batches: { bytes: 5e8, fits: true },
      rescoring: { bytes: 1.5e9, fits: false },
    })
  })

  it('says that nothing fits into less than the workspaces', () => {
    const { few, batches, rescoring } = planOf(need, 1e8)
    expect([few, batches, rescoring].map(({ fits }) => fits)).toEqual([false, false, false])
  })
})
