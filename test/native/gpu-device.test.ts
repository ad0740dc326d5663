/** What the addon reports of CUDA where there is no device; with one, the native tests search it. */
import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { configureGpu, gpuStats, nativeInfo, releaseIdleGpu } from '#synoptic/native/addon/index.js'

const { cuda } = nativeInfo()

/** In a process of its own: the library is looked for once. */
function cudaOf(library: string): typeof cuda {
  const script =
    "import { nativeInfo } from '#synoptic/native/addon/index.js'\n" +
    'console.log(JSON.stringify(nativeInfo().cuda))'
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', script],
    { encoding: 'utf8', env: { ...process.env, SYNOPTIC_CUDA_LIBRARY: library } },
  )
  expect(stderr).toBe('')
  return JSON.parse(stdout) as typeof cuda
}

describe('the CUDA library', () => {
  test('is available with a device, or says why not', () => {
    expect(cuda.available).toBe(cuda.devices.length > 0)
    expect(cuda.reason === '').toBe(cuda.available)
  })

  // Elsewhere than on Linux no library is looked for.
  test.skipIf(process.platform !== 'linux').each([
    ['is not there', '/nowhere/libsynoptic_cuda.so', 'does not load'],
    ['is no library', import.meta.filename, 'does not load'],
    ['is another library', 'libm.so.6', 'found another one'],
  ])('%s', (_, library, reason) => {
    const found = cudaOf(library)
    expect(found).toMatchObject({ available: false, devices: [] })
    expect(found.reason).toContain(reason)
  })
})

describe('without a device', () => {
  test.skipIf(cuda.available)('configuring one changes nothing', () => {
    configureGpu({ kind: 'auto' }, 1)
    configureGpu({ kind: 'bytes', value: 1e9 }, 4)
    expect(gpuStats()).toBeUndefined()
    expect(releaseIdleGpu(0)).toBe(0)
  })
})
