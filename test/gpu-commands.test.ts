/** `synoptic gpu …`, without a device too. */
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { nativeInfo } from '#synoptic/native/addon/index.js'
import { synopticHere } from './helpers/run-here.js'
import { manyTexts, model, openWorkshop } from './embed/workshop.js'

const synoptic = (...words: string[]) => synopticHere(words)

const { cuda } = nativeInfo()

describe('gpu status', () => {
  test('says whether there is a device, and why not', async () => {
    const { code, stdout, stderr } = await synoptic('gpu', 'status')
    expect(stderr).toBe('')
    expect(code).toBe(cuda.available ? 0 : 1)
    expect(stdout).toContain(
      cuda.available ? 'CUDA is available.\n' : `CUDA is not available: ${cuda.reason}\n`,
    )
    expect(stdout).toMatch(/^models: /m)
  })

  test('takes no words', async () => {
    const { code, stderr } = await synoptic('gpu', 'status', 'all')
    expect(code).toBe(2)
    expect(stderr).toBe('error: gpu status: unexpected word "all"\n')
  })
})

describe('gpu plan', () => {
  const flagsOf = (folder: string) => [
    '--data-dir',
    folder,
    '--models-dir',
    join(folder, 'models'),
    '--embeddings-dir',
    join(folder, 'embeddings'),
  ]
  /** Of two threads in each process; a plan counts them into what fits. */
  const workspaceBytes = 2 * 112 * 2 ** 20
  const plan = async (folder: string, limit: number, workers = 1) => {
    const words = ['--gpu-memory-limit', String(limit), '--workers', String(workers)]
    return synoptic('gpu', 'plan', ...words, ...flagsOf(folder))
  }

  test('says what a collection needs and whether it fits with the workspaces', async () => {
    const { folder } = openWorkshop()
    const built = await synoptic('embed', 'build', '--model', model, ...flagsOf(folder))
    expect(built).toMatchObject({ code: 0 })
    const roomy = await plan(folder, workspaceBytes + 1_000_000)
    expect(roomy).toMatchObject({ code: 0, stderr: '' })
    expect(roomy.stdout).toMatch(
      new RegExp(`^anime ${model}  +2 x 5 x 4 +0\\.0 MB fits +0\\.0 MB fits +0\\.0 MB fits\n`, 'm'),
    )
    expect(roomy.stdout).toContain('Each process needs 234.9 MB of workspaces in addition.\n')
    expect(roomy.stdout).toMatch(/\nAll collections together need \d+\.\d MB fits\.\n/)
    expect(roomy.stdout).toMatch(/\nThe limit is 235\.9 MB\.\n$/)
    // Two columns of five rows: 16 bytes of float16 and 4 of residual each.
    const exact = await plan(folder, workspaceBytes + 200)
    expect(exact.stdout).toMatch(/^anime fine.*0\.0 MB fits +0\.0 MB fits +0\.0 MB too large\n/m)
    const less = await plan(folder, workspaceBytes + 199)
    expect(less.stdout).toMatch(/^anime fine.*0\.0 MB too large +0\.0 MB too large/m)
  })

  test('divides the limit by the processes, as a server does', async () => {
    const { folder } = openWorkshop()
    const one = await plan(folder, workspaceBytes + 1_000_000)
    expect(one.stdout).toContain(' MB fits')
    const two = await plan(folder, workspaceBytes + 1_000_000, 2)
    expect(two.stdout).not.toContain(' MB fits')
    expect(two.stdout).toMatch(/\nThe limit is 117\.9 MB for each of 2 processes\.\n$/)
    expect((await plan(folder, 2 * (workspaceBytes + 1_000_000), 2)).stdout).toContain(' MB fits')
  })

  test('counts the rows of the catalogue before there are embeddings', async () => {
    const { folder } = openWorkshop(manyTexts(3000))
    const { code, stdout } = await plan(folder, workspaceBytes + 1_000_000)
    expect(code).toBe(0)
    // Codes of eight bits: 2 x 3000 x (64 + 44) bytes; float16: 2 x 3000 x 20, float32: 2 x 3000 x 24.
    expect(stdout).toMatch(
      new RegExp(
        `^anime ${model} \\* +2 x 3000 x 4 +0\\.6 MB fits +0\\.1 MB fits +0\\.3 MB fits\n`,
        'm',
      ),
    )
    // The built-in model, of 256 dimensions, is there too.
    const builtin = 1.8 + 3.096 + 6.192
    const together = (0.648 + 0.12 + 0.144 + builtin + workspaceBytes / 1e6).toFixed(1)
    expect(stdout).toContain(`All collections together need ${together} MB`)
  })

  test('counts the weights and the largest batches of the models', async () => {
    const { folder } = openWorkshop()
    const { stdout } = await plan(folder, 0, 3)
    const counted =
      /The installed models \((\d+)\) need (.*) MB of weights and up to (.*) MB of/.exec(stdout)
    // The one that ships, and that of the workshop.
    expect(counted?.[1]).toBe('2')
    expect(Number(counted?.[2])).toBeGreaterThan(5)
    expect(Number(counted?.[3])).toBeGreaterThan(5)
    expect(stdout).toContain('outside the limit, in each of 3 processes.')
  })

  test('refuses a limit that is none', async () => {
    const { code, stderr } = await synoptic('gpu', 'plan', '--gpu-memory-limit', 'much')
    expect(code).toBe(2)
    expect(stderr).toContain('--gpu-memory-limit: expected auto, a number of bytes')
  })
})
