import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { memoryNeed, modelBytes, modelMemoryLimit } from '#synoptic/models/registry/model-memory.js'

const folder = mkdtempSync(join(tmpdir(), 'synoptic-memory-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
mkdirSync(join(folder, 'onnx'))
writeFileSync(join(folder, 'onnx', 'model.onnx'), 'x'.repeat(1000))
writeFileSync(join(folder, 'onnx', 'model.onnx_data'), 'x'.repeat(2000))
writeFileSync(join(folder, 'onnx', 'model_int8.onnx'), 'x'.repeat(5000))
writeFileSync(join(folder, 'model.safetensors'), 'x'.repeat(9000))
mkdirSync(join(folder, 'older', '0_Transformer', 'onnx'), { recursive: true })
writeFileSync(join(folder, 'older', '0_Transformer', 'onnx', 'model.onnx'), 'x'.repeat(700))

describe('the memory of a model', () => {
  it('is that of the network that is loaded, and what serves it', async () => {
    const nothing = await modelBytes(join(folder, 'nowhere'), 'encoder')
    expect(nothing).toBeGreaterThan(0)
    expect((await modelBytes(folder, 'encoder')) - nothing).toBe(3000)
    expect(await modelBytes(folder, 'cross-encoder')).toBeGreaterThan(nothing + 3000)
    expect((await modelBytes(join(folder, 'older'), 'encoder')) - nothing).toBe(700)
  })

  it('is estimated for models that are not here by their parameters', async () => {
    const kind = 'encoder'
    const activations = await modelBytes(join(folder, 'nowhere'), kind)
    const away = { folder: join(folder, 'nowhere'), installed: false, kind } as const
    expect(await memoryNeed({ ...away, parameters: 100 })).toBe(400 + activations)
    expect(await memoryNeed(away)).toBeUndefined()
    const here = { folder, installed: true, parameters: 100, kind } as const
    expect(await memoryNeed(here)).toBe(3000 + activations)
    // A ranker without a network.
    expect(await memoryNeed({ ...away, installed: true })).toBeUndefined()
  })
})

describe('the limit', () => {
  it('is what is set, for each process', () => {
    expect(modelMemoryLimit(100, 1)).toBe(100 * 2 ** 20)
    expect(modelMemoryLimit(100, 8)).toBe(100 * 2 ** 20)
  })

  it('is half of the memory at most, shared among the processes', () => {
    expect(modelMemoryLimit(0, 1)).toBeLessThanOrEqual(totalmem() / 2)
    expect(modelMemoryLimit(0, 1)).toBeGreaterThan(2 ** 20)
    expect(modelMemoryLimit(0, 4)).toBeCloseTo(modelMemoryLimit(0, 1) / 4, 0)
  })
})
