/** ONNX Runtime's libraries for GPUs, fetched from a NuGet feed on loopback. */
import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gpuLibraries } from '#synoptic/models/encoders/onnx-runtime.js'
import { areInstalled, installGpuLibraries } from '#synoptic/models/tools/gpu-install.js'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type DumpServer, startDumpServer } from '../helpers/dump-server.js'
import { program } from '../helpers/run-cli.js'
import { zipOf } from '../helpers/zip.js'

const files = new Map([
  ['libcuda_part.so', 'runtimes/linux-x64/native/libcuda_part.so'],
  ['libshared_part.so', 'runtimes/linux-x64/native/libshared_part.so'],
])
const contents = new Map([...files.values()].map((path) => [path, randomBytes(50_000)]))

let folder = ''
let server: DumpServer
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'synoptic-gpu-'))
  server = await startDumpServer()
})
afterEach(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

/** A feed that has the archive. */
function publish(archive: Buffer, hash = createHash('sha512').update(archive).digest('base64')) {
  const put = (path: string, value: object) => server.publish(path, JSON.stringify(value))
  put('index.json', {
    resources: [
      { '@id': `${server.url}other/`, '@type': 'SearchQueryService' },
      { '@id': `${server.url}registration/`, '@type': 'RegistrationsBaseUrl' },
    ],
  })
  put('registration/some.gpu/1.2.3.json', {
    catalogEntry: `${server.url}catalog.json`,
    packageContent: `${server.url}some.nupkg`,
  })
  put('catalog.json', { packageHash: hash, packageHashAlgorithm: 'SHA512' })
  server.publish('some.nupkg', archive)
}

const libraries = () => ({
  name: 'Some.Gpu',
  version: '1.2.3',
  files,
  feed: `${server.url}index.json`,
})
const install = () => installGpuLibraries({ libraries: libraries(), folder, firstWaitMs: 1 })

describe('the libraries for GPUs', () => {
  it('are fetched over a broken connection, compared, and unpacked without a trace', async () => {
    publish(zipOf(new Map([...contents, ['README.md', Buffer.from('others stay inside')]])))
    let signalCut: () => void = () => undefined
    server.cutOnceRead('some.nupkg', 20_000, new Promise<void>((resolve) => (signalCut = resolve)))
    expect(areInstalled(libraries(), folder)).toBe(false)
    await installGpuLibraries({
      libraries: libraries(),
      folder,
      firstWaitMs: 1,
      onProgress(done) {
        if (done === 20_000) signalCut()
      },
    })
    expect(areInstalled(libraries(), folder)).toBe(true)
    expect(readdirSync(folder).sort()).toEqual([...files.keys()])
    for (const [file, path] of files)
      expect(readFileSync(join(folder, file)).equals(contents.get(path) ?? Buffer.of())).toBe(true)
    expect(server.log.filter((line) => line.startsWith('some.nupkg'))).toEqual([
      'some.nupkg 200',
      'some.nupkg 206 bytes=20000-',
    ])
  })

  const wrongs: [string, () => void, RegExp][] = [
    [
      'have another hash',
      () => publish(zipOf(contents), createHash('sha512').digest('base64')),
      /expected the SHA-512 \S+, received \S+; nothing was changed/,
    ],
    [
      'are not all in the package',
      () => publish(zipOf(new Map([...contents].slice(0, 1)))),
      /expected \S+libshared_part\.so in the package/,
    ],
    ['are in no archive', () => publish(randomBytes(10_000)), /the package is not an archive/],
    [
      'are not on the feed',
      () => server.publish('index.json', '{"resources":[]}'),
      /registrations/,
    ],
    ['are on a page of HTML', () => server.publish('index.json', '<html>'), /JSON of a NuGet feed/],
    ['have no feed', () => undefined, /refused \/index\.json \(404\)/],
  ]
  it.each(wrongs)('leave what was there where they %s', async (_, arrange, problem) => {
    for (const file of files.keys()) writeFileSync(join(folder, file), 'earlier')
    arrange()
    await expect(install()).rejects.toThrow(problem)
    expect(readdirSync(folder).sort()).toEqual([...files.keys()])
    for (const file of files.keys())
      expect(readFileSync(join(folder, file), 'utf8')).toBe('earlier')
  })

  it('are those that ONNX Runtime itself names, where it has any', () => {
    const found = gpuLibraries('linux/x64')
    expect(found).toMatchObject({ name: 'Microsoft.ML.OnnxRuntime.Gpu.Linux' })
    expect(found?.feed).toMatch(/^https:\/\/api\.nuget\.org\//)
    expect([...(found?.files.keys() ?? [])]).toContain('libonnxruntime_providers_cuda.so')
    expect(gpuLibraries('darwin/arm64')).toBeUndefined()
    expect(gpuLibraries('sunos/x64')).toBeUndefined()
  })
})

describe('gpu install', () => {
  /** Not synchronously: the feed is in this process. */
  const run = async (...words: string[]) => {
    const failed = (error: unknown) => error as { code: number; stderr: string }
    const { code, stderr } = await promisify(execFile)(process.execPath, [
      program,
      'gpu',
      'install',
      ...words,
    ]).then((done) => ({ code: 0, ...done }), failed)
    return { code, stderr }
  }

  it.skipIf(gpuLibraries() === undefined)('says what the feed said, and ends with 1', async () => {
    expect(await run('--feed', `${server.url}index.json`)).toEqual({
      code: 1,
      stderr: expect.stringMatching(
        /^error: .*\(404\).*\nTo go on, run the same command again\.\n$/,
      ) as string,
    })
  })

  it.each([
    [['--feed', 'nuget'], 'gpu install: --feed: expected an http(s) address, received "nuget"'],
    [['--index', 'a'], 'gpu install: --index: expected an http(s) address, received "a"'],
    [['--optional'], 'gpu install: --optional: expected with --cuda'],
    [['everything'], 'gpu install: unexpected word "everything"'],
  ])('refuses %j', async (words, problem) => {
    expect(await run(...words)).toEqual({ code: 2, stderr: `error: ${problem}\n` })
  })
})
