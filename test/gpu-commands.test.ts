/** `synoptic gpu …` as it ships; without a device too. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { nativeInfo } from '#synoptic/native/index.js'
import { model, openWorkshop } from './embed/workshop.js'

async function synoptic(...words: string[]) {
  const run = promisify(execFile)(process.execPath, ['dist/cli.js', ...words])
  const failed = (error: unknown) => error as { code: number; stdout: string; stderr: string }
  return run.then((done) => ({ code: 0, ...done }), failed)
}

const { cuda } = nativeInfo()

describe('gpu status', () => {
  test('tells whether there is a device, and why not', async () => {
    const { code, stdout, stderr } = await synoptic('gpu', 'status')
    expect(stderr).toBe('')
    expect(code).toBe(cuda.available ? 0 : 1)
    expect(stdout).toContain(
      cuda.available ? 'CUDA is available.\n' : `CUDA is not available: ${cuda.reason}\n`,
    )
  })

  test('takes no words', async () => {
    const { code, stderr } = await synoptic('gpu', 'status', 'all')
    expect(code).toBe(2)
    expect(stderr).toBe('error: gpu status: unexpected word "all"\n')
  })
})

describe('gpu plan', () => {
  test('tells what a collection needs and whether it fits', async () => {
    const { folder } = openWorkshop()
    const flags = [
      ...['--data-dir', folder],
      ...['--models-dir', join(folder, 'models')],
      ...['--embeddings-dir', join(folder, 'embeddings')],
    ]
    const built = await synoptic('embed', 'build', '--model', model, ...flags)
    expect(built).toMatchObject({ code: 0 })
    const roomy = await synoptic('gpu', 'plan', '--gpu-memory-limit', '1000000', ...flags)
    expect(roomy).toMatchObject({ code: 0, stderr: '' })
    expect(roomy.stdout).toMatch(
      new RegExp(`anime ${model}  2 x 5 x 4 +0\\.0 MB fits +0\\.0 MB fits +0\\.0 MB fits\n`),
    )
    expect(roomy.stdout).toMatch(/\nThe limit is 1\.0 MB\.\n$/)
    // Two columns of five rows: 16 bytes of float16 and 4 of residual each.
    const exact = await synoptic('gpu', 'plan', '--gpu-memory-limit', '200', ...flags)
    expect(exact.stdout).toMatch(/0\.0 MB fits +0\.0 MB fits +0\.0 MB too large\n/)
    const less = await synoptic('gpu', 'plan', '--gpu-memory-limit', '199', ...flags)
    expect(less.stdout).toMatch(/0\.0 MB too large +0\.0 MB too large/)
  })

  test('refuses a limit that is none', async () => {
    const { code, stderr } = await synoptic('gpu', 'plan', '--gpu-memory-limit', 'much')
    expect(code).toBe(2)
    expect(stderr).toContain('--gpu-memory-limit: expected auto, a number of bytes')
  })
})
