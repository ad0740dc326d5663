/** NVIDIA's packages of CUDA, fetched from a Python index on loopback. */
import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type CudaLibrary, cudaProvider } from '#synoptic/models/encoders/cuda-libraries.js'
import { gpuLibraries } from '#synoptic/models/encoders/onnx-runtime.js'
import { installCudaLibraries } from '#synoptic/models/tools/cuda-install.js'
import { findCudaWheels } from '#synoptic/models/tools/cuda-wheels.js'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type DumpServer, startDumpServer } from '../helpers/dump-server.js'
import { canMakeLibraries, libraryBytes, makeLibrary } from '../helpers/shared-libraries.js'
import { zipOf } from '../helpers/zip.js'

const machine = process.arch === 'arm64' ? 'aarch64' : 'x86_64'
const tag = `manylinux2014_${machine}.manylinux_2_17_${machine}`

let folder = ''
let server: DumpServer
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'synoptic-cuda-install-'))
  server = await startDumpServer()
})
afterEach(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

const cudart = {
  name: 'libcudart.so.97',
  isRequired: true,
  wheel: 'nvidia-cuda-runtime',
  major: 97,
}
const cublas = { name: 'libcublas.so.97', isRequired: true, wheel: 'nvidia-cublas', major: 97 }
const cublasLt = { ...cublas, name: 'libcublasLt.so.97' }
const driver = { ...cublas, name: 'libcuda.so.1', wheel: undefined, major: 1 }

type File = Record<string, unknown> & { filename: string }
const page = (name: string, files: readonly File[]) =>
  server.publish(`simple/${name}/`, JSON.stringify({ meta: { 'api-version': '1.1' }, name, files }))
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

/** A wheel as NVIDIA makes them, in the index. */
function publish(name: string, version: string, libraries: ReadonlyMap<string, Buffer>, more = {}) {
  const lib = (file: string) => `nvidia/cu97/lib/${file}`
  const wheel = zipOf(
    new Map([
      ['nvidia/cu97/include/some.h', Buffer.from('// a header')],
      [lib('libnvblas.so.97'), Buffer.from('of another use')],
      ...[...libraries].map(([file, bytes]) => [lib(file), bytes] as const),
      [`${name}.dist-info/RECORD`, Buffer.from('a list')],
    ]),
  )
  const filename = `${name.replaceAll('-', '_')}-${version}-py3-none-${tag}.whl`
  server.publish(`files/${filename}`, wheel)
  const url = `../../files/${filename}`
  page(name, [{ filename, url, hashes: { sha256: sha256(wheel) }, size: wheel.length, ...more }])
  return filename
}

const content = (...names: string[]) => new Map(names.map((name) => [name, randomBytes(50_000)]))
const find = (...libraries: CudaLibrary[]) =>
  findCudaWheels(libraries, `${server.url}simple`, { firstWaitMs: 1 })
const install = async (...libraries: CudaLibrary[]) =>
  installCudaLibraries({ wheels: await find(...libraries), folder, firstWaitMs: 1 })

describe('packages of CUDA', () => {
  const file = (filename: string, more = {}): File => ({
    filename,
    url: `/files/${filename}`,
    hashes: { sha256: '0'.repeat(64) },
    ...more,
  })
  const wheel = (version: string, more = {}, platform = tag) =>
    file(`nvidia_cuda_runtime-${version}-py3-none-${platform}.whl`, more)

  it('are the newest of their major version for this machine, one for several libraries', async () => {
    page('nvidia-cuda-runtime', [
      wheel('97.9.5'),
      wheel('97.10.2', { size: 1234 }),
      wheel('97.10.2', {}, 'win_amd64'),
      wheel('97.10.11', {}, 'manylinux_2_27_riscv64'),
      wheel('97.11.0', { yanked: 'broken' }),
      wheel('97.12.0rc1'),
      wheel('98.0.0'),
      file('nvidia_cuda_runtime-97.99.tar.gz'),
      file(`nvidia_cuda_runtime_cu12-97.99-py3-none-${tag}.whl`),
    ])
    const blas = `nvidia_cublas-97.1-py3-none-${tag}.whl`
    page('nvidia-cublas', [file(blas, { yanked: false })])
    expect(await find(driver, cudart, cublasLt, cublas)).toEqual([
      {
        name: 'nvidia-cuda-runtime',
        version: '97.10.2',
        bytes: 1234,
        sha256: '0'.repeat(64),
        libraries: ['libcudart.so.97'],
        address: `${server.url}files/nvidia_cuda_runtime-97.10.2-py3-none-${tag}.whl`,
      },
      {
        name: 'nvidia-cublas',
        version: '97.1',
        bytes: undefined,
        sha256: '0'.repeat(64),
        libraries: ['libcublasLt.so.97', 'libcublas.so.97'],
        address: `${server.url}files/${blas}`,
      },
    ])
  })

  it.each<[string, () => void, RegExp]>([
    ['are not in the index', () => undefined, /refused \/simple\/nvidia-cuda-runtime\/ \(404\)/],
    [
      'have no such version',
      () => page('nvidia-cuda-runtime', [wheel('98.1')]),
      /expected a wheel of version 97 for Linux/,
    ],
    [
      'have no hash',
      () => page('nvidia-cuda-runtime', [wheel('97.1', { hashes: { md5: '0' } })]),
      /expected the SHA-256 of nvidia_cuda_runtime-97\.1/,
    ],
    [
      'have half a hash',
      () => page('nvidia-cuda-runtime', [wheel('97.1', { hashes: { sha256: 'abc' } })]),
      /expected the JSON of a Python index/,
    ],
    [
      'are in an index of HTML alone',
      () => server.publish('simple/nvidia-cuda-runtime/', '<!DOCTYPE html><a href="x">x</a>'),
      /expected the JSON of a Python index/,
    ],
  ])('are refused where they %s', async (_, arrange, problem) => {
    arrange()
    await expect(find(cudart)).rejects.toThrow(problem)
  })
})

describe('libraries of CUDA', () => {
  it('are fetched over a broken connection, compared, and unpacked without a trace', async () => {
    const first = publish('nvidia-cuda-runtime', '97.1', content('libcudart.so.97'))
    const libraries = content('libcublas.so.97', 'libcublasLt.so.97', 'libcublas-more.so.97.1')
    publish('nvidia-cublas', '97.2.3', libraries)
    let signalCut: () => void = () => undefined
    server.cutOnceRead(
      `files/${first}`,
      20_000,
      new Promise<void>((resolve) => (signalCut = resolve)),
    )
    await installCudaLibraries({
      wheels: await find(driver, cudart, cublasLt, cublas),
      folder,
      firstWaitMs: 1,
      onProgress: (_, done) => {
        if (done === 20_000) signalCut()
      },
    })
    expect(readdirSync(folder).sort()).toEqual(['libcudart.so.97', ...libraries.keys()].sort())
    for (const [name, bytes] of libraries)
      expect(readFileSync(join(folder, name)).equals(bytes)).toBe(true)
    expect(server.log.filter((line) => line.startsWith(`files/${first}`))).toEqual([
      `files/${first} 200`,
      `files/${first} 206 bytes=20000-`,
    ])
  })

  it.each<[string, object | undefined, RegExp]>([
    [
      'have another hash',
      { hashes: { sha256: sha256(Buffer.from('other')) } },
      /nvidia-cuda-runtime 97\.1: expected the SHA-256 [0-9a-f]{64}, received [0-9a-f]{64}/,
    ],
    ['are not all in the package', undefined, /expected \S+libcudart\.so\.97 in the package/],
    ['are too large for the disk', { size: 1e16 }, /^ENOSPC: expected 30000000000 MB free in /],
  ])('leave what was there where they %s', async (_, more, problem) => {
    writeFileSync(join(folder, 'libcudart.so.97'), 'earlier')
    const libraries = content(more === undefined ? 'libother.so.97' : 'libcudart.so.97')
    const name = publish('nvidia-cuda-runtime', '97.1', libraries, more)
    await expect(install(cudart)).rejects.toThrow(problem)
    expect(readdirSync(folder)).toEqual(['libcudart.so.97'])
    expect(readFileSync(join(folder, 'libcudart.so.97'), 'utf8')).toBe('earlier')
    const isFetched = server.log.some((line) => line.startsWith(`files/${name}`))
    expect(isFetched).toBe(!String(problem).includes('ENOSPC'))
  })

  it('of packages that came whole stay where a later one fails, and one that stopped goes on', async () => {
    publish('nvidia-cuda-runtime', '97.1', content('libcudart.so.97'))
    const second = publish('nvidia-cublas', '97.2', content('libcublas.so.97'))
    const stop = new AbortController()
    const wheels = await find(cudart, cublas)
    void server.hang(`files/${second}`, 30_000).then(() => stop.abort())
    const options = { wheels, folder, firstWaitMs: 1 }
    await expect(installCudaLibraries({ ...options, signal: stop.signal })).rejects.toThrow()
    expect(readdirSync(folder)).toContain('libcudart.so.97')
    server.release()
    await install(cublas)
    expect(readdirSync(folder).sort()).toEqual(['libcublas.so.97', 'libcudart.so.97'])
  })
})

describe.skipIf(!canMakeLibraries || gpuLibraries() === undefined)('gpu install --cuda', () => {
  const names = ['libcublasLt.so.97', 'libcublas.so.97', 'libcudart.so.97']
  const copy = mkdtempSync(join(tmpdir(), 'synoptic-cuda-program-'))
  const machineFolder = join(copy, 'machine')
  const own = join(copy, 'node_modules', 'onnxruntime-node')
  const runtime = join(own, 'bin', 'napi-v6', process.platform, process.arch)
  const untouched = join(copy, 'untouched')

  /** The program with an ONNX Runtime of its own, which needs a CUDA that no machine has. */
  beforeAll(() => {
    mkdirSync(own, { recursive: true })
    for (const name of readdirSync('node_modules'))
      if (name !== 'onnxruntime-node')
        symlinkSync(join(process.cwd(), 'node_modules', name), join(copy, 'node_modules', name))
    for (const part of ['package.json', 'dist', 'lib', 'script'])
      cpSync(join('node_modules', 'onnxruntime-node', part), join(own, part), { recursive: true })
    cpSync('package.json', join(copy, 'package.json'))
    cpSync('dist', join(copy, 'dist'), { recursive: true, preserveTimestamps: true })
    symlinkSync(join(process.cwd(), 'build'), join(copy, 'build'))
    for (const name of names) makeLibrary(machineFolder, name)
    for (const name of gpuLibraries()?.files.keys() ?? []) makeLibrary(untouched, name)
    cpSync(makeLibrary(machineFolder, cudaProvider, names), join(untouched, cudaProvider))
  })
  afterAll(() => rmSync(copy, { recursive: true }))
  beforeEach(() => {
    rmSync(runtime, { recursive: true, force: true })
    cpSync(untouched, runtime, { recursive: true })
  })

  const run = async (words: string[], env: NodeJS.ProcessEnv = {}) => {
    const failed = (error: unknown) => error as { code: number; stdout: string; stderr: string }
    const { code, stdout, stderr } = await promisify(execFile)(
      process.execPath,
      [join(copy, 'dist', 'cli.js'), 'gpu', ...words],
      { env: { ...process.env, PIP_INDEX_URL: `${server.url}simple/`, ...env } },
    ).then((done) => ({ code: 0, ...done }), failed)
    return { code, stdout, stderr }
  }
  const publishBoth = () => {
    const made = (...of: string[]) =>
      new Map(of.map((name) => [name, libraryBytes(join(folder, 'made'), name)]))
    publish('nvidia-cuda-runtime', '97.1', made('libcudart.so.97'))
    publish('nvidia-cublas', '97.2', made('libcublas.so.97', 'libcublasLt.so.97'))
  }

  it('fetches what the machine lacks, after which it loads, and status says so', async () => {
    publishBoth()
    const before = await run(['status'])
    expect(before.stdout).toMatch(/^ {2}libcudart\.so\.97 +missing$/m)
    expect(before.stdout).toMatch(/^ {2}libcudnn\.so\.9 +missing; only some models need it$/m)
    expect(before.stdout).toContain('To fetch what is missing, run: synoptic gpu install --cuda\n')
    const planned = await run(['install', '--cuda', '--dry-run'])
    expect(planned).toMatchObject({ code: 0, stderr: '' })
    expect(planned.stdout).toMatch(/^nvidia-cublas 97\.2 {2}0\.0 MB$/m)
    expect(planned.stdout).toMatch(/\nFree space needed: 0\.\d MB\. Nothing was fetched\.\n$/)
    expect(readdirSync(runtime)).not.toContain('libcudart.so.97')
    const { code, stdout, stderr } = await run(['install', '--cuda'])
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: 'To fetch what is missing, run: synoptic gpu install --cuda --optional\n',
    })
    expect(stdout).toMatch(/^nvidia-cublas 97\.2: its hash is right; 2 files installed$/m)
    for (const name of names) expect(stdout).toContain(join(runtime, name))
    const { stdout: after } = await run(['status'])
    for (const name of names) expect(after).toContain(`${join(runtime, name)}, fetched by`)
    expect(after).not.toContain('models run on the processor')
  })

  it('fetches nothing of what the machine has', async () => {
    const env = { LD_LIBRARY_PATH: machineFolder }
    const { code, stdout } = await run(['install', '--cuda', '--dry-run'], env)
    expect(code).toBe(0)
    expect(stdout).toMatch(/Nothing of CUDA is missing\.\n$/)
    expect(server.log).toEqual([])
  })

  it('fetches nothing of CUDA unless requested', async () => {
    const { code, stdout, stderr } = await run(['install'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^ {2}libcublas\.so\.97 +missing$/m)
    expect(stderr).toMatch(/models run on the processor\.\n.*run: synoptic gpu install --cuda\n$/)
    expect(server.log).toEqual([])
  })

  it('says what the index said, and ends with 1', async () => {
    expect(await run(['install', '--cuda'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^error: .*\(404\).*\nTo go on, run the same/) as string,
    })
  })

  it('prints no password of an index', async () => {
    const PIP_INDEX_URL = 'https://me:secret@example.org/simple'
    const { code, stderr } = await run(['install', '--cuda'], { PIP_INDEX_URL })
    expect(code).toBe(2)
    expect(stderr).toMatch(
      /^error: gpu install: PIP_INDEX_URL: expected an http\(s\) address without/,
    )
    expect(stderr).not.toContain('secret')
  })
})
