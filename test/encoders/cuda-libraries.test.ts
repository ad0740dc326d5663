/** What ONNX Runtime's library for GPUs needs of CUDA, by libraries that the compiler makes and the loader loads. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import {
  cudaLibraries,
  cudaProvider,
  type FoundLibrary,
} from '#synoptic/models/encoders/cuda-libraries.js'
import { neededLibraries } from '#synoptic/models/encoders/needed-libraries.js'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { canMakeLibraries, makeLibrary } from '../helpers/shared-libraries.js'

let scratch = ''
beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), 'synoptic-cuda-'))
})
afterEach(() => rmSync(scratch, { recursive: true }))

/** A machine's folder of CUDA's libraries, and a folder of ONNX Runtime that needs them. */
function makeRuntime(cuda: number, ...more: string[]) {
  const [machine, runtime] = [join(scratch, 'machine'), join(scratch, 'runtime')]
  const needs = [`libcublasLt.so.${cuda}`, `libcublas.so.${cuda}`, `libcudart.so.${cuda}`, ...more]
  for (const name of needs) makeLibrary(machine, name)
  mkdirSync(runtime)
  writeFileSync(
    join(runtime, cudaProvider),
    readFileSync(makeLibrary(machine, cudaProvider, needs)),
  )
  rmSync(join(machine, cudaProvider))
  return { machine, runtime }
}

describe.skipIf(!canMakeLibraries)('what a library needs', () => {
  it('is read as the loader reads it', () => {
    const { runtime } = makeRuntime(12, 'libcurand.so.10')
    const file = join(runtime, cudaProvider)
    const shown = spawnSync('readelf', ['-dW', file], { encoding: 'utf8' }).stdout
    const names = [...shown.matchAll(/\(NEEDED\).*\[(.*)\]/g)].map(([, name]) => name)
    expect(names).toContain('libcublas.so.12')
    expect(neededLibraries(file)).toEqual(names)
    expect(neededLibraries(process.execPath)).toContain('libc.so.6')
  })

  it.each([
    ['no library', /expected a library of Linux/],
    ['', /found a part of one/],
    ['\x7fELF\x02\x01'.padEnd(64, '\x01'), /./],
  ])('is not read from %j', (content, problem) => {
    const file = join(scratch, 'file')
    writeFileSync(file, content.length === 10 ? content.padEnd(64) : content, 'latin1')
    expect(() => neededLibraries(file)).toThrow(problem)
  })

  it('comes from packages of its major version, and on demand cuDNN and others', () => {
    const { runtime } = makeRuntime(12, 'libcurand.so.10', 'libcudnn.so.9')
    const wheels = (folder: string) =>
      cudaLibraries(folder).map(({ name, wheel, isRequired }) => [name, wheel, isRequired])
    expect(wheels(runtime)).toEqual([
      ['libcudart.so.12', 'nvidia-cuda-runtime-cu12', true],
      ['libnvrtc.so.12', 'nvidia-cuda-nvrtc-cu12', false],
      ['libcublasLt.so.12', 'nvidia-cublas-cu12', true],
      ['libcublas.so.12', 'nvidia-cublas-cu12', true],
      ['libcurand.so.10', 'nvidia-curand-cu12', true],
      ['libcufft.so.11', 'nvidia-cufft-cu12', false],
      ['libcudnn.so.9', 'nvidia-cudnn-cu12', true],
    ])
    rmSync(runtime, { recursive: true })
    expect(wheels(makeRuntime(13, 'libcuda.so.1').runtime)).toEqual([
      ['libcuda.so.1', undefined, true],
      ['libcudart.so.13', 'nvidia-cuda-runtime', true],
      ['libnvrtc.so.13', 'nvidia-cuda-nvrtc', false],
      ['libcublasLt.so.13', 'nvidia-cublas', true],
      ['libcublas.so.13', 'nvidia-cublas', true],
      ['libcufft.so.12', 'nvidia-cufft', false],
      ['libcudnn.so.9', 'nvidia-cudnn-cu13', false],
    ])
  })

  it('is unknown without the library', () => {
    expect(cudaLibraries(scratch)).toEqual([])
  })
})

describe.skipIf(!canMakeLibraries)('libraries of CUDA', () => {
  /** In a process of its own: they stay loaded. No machine has this version. */
  const load = (folder: string, path = '') => {
    const module = pathToFileURL(join('dist', 'models', 'encoders', 'cuda-libraries.js')).href
    const script = `
      const { loadCudaLibraries } = await import(${JSON.stringify(module)})
      const found = loadCudaLibraries(${JSON.stringify(folder)})
      let provider = 'loads'
      try { process.dlopen({ exports: {} }, ${JSON.stringify(join(folder, cudaProvider))}) }
      catch ({ message }) { provider = message }
      console.log(JSON.stringify({ found, provider }))`
    const env = { ...process.env, LD_LIBRARY_PATH: path }
    const words = ['--input-type=module', '-e', script]
    return JSON.parse(execFileSync(process.execPath, words, { env, encoding: 'utf8' })) as {
      found: FoundLibrary[]
      provider: string
    }
  }
  const required = ({ found }: { found: FoundLibrary[] }) =>
    found
      .filter(({ isRequired }) => isRequired)
      .map(({ name, place, isOurs }) => [name, place, isOurs])

  it('that are missing are named, and the loader says so too', () => {
    const { runtime } = makeRuntime(97)
    const { found, provider } = load(runtime)
    expect(found.map(({ place }) => place)).toEqual(found.map(() => undefined))
    expect(found[0]?.problem).toMatch(/libcudart\.so\.97: cannot open shared object file/)
    expect(provider).toMatch(/libcublasLt\.so\.97: cannot open shared object file/)
  })

  it('that lie in the folder of ONNX Runtime are found by it although no path leads there', () => {
    const { runtime } = makeRuntime(97)
    const names = ['libcudart.so.97', 'libcublasLt.so.97', 'libcublas.so.97']
    for (const name of names) makeLibrary(runtime, name)
    const loaded = load(runtime)
    expect(required(loaded)).toEqual(names.map((name) => [name, join(runtime, name), true]))
    expect(loaded.provider).toMatch(/did not self-register/)
  })

  it('of the machine come first', () => {
    const { machine, runtime } = makeRuntime(97)
    makeLibrary(runtime, 'libcudart.so.97')
    const names = ['libcudart.so.97', 'libcublasLt.so.97', 'libcublas.so.97']
    expect(required(load(runtime, machine))).toEqual(
      names.map((name) => [name, join(machine, name), false]),
    )
  })

  it('that are broken are reported with what the loader says', () => {
    const { runtime } = makeRuntime(97)
    writeFileSync(join(runtime, 'libcudart.so.97'), 'no library')
    expect(load(runtime).found[0]?.problem).toMatch(/file too short|invalid ELF header/)
  })
})
