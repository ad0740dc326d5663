/** A model's files are hashed once, and again when one of them changes. */
import {
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { loadTokenizer } from '#synoptic/models/encoders/tokenizer.js'
import { modelRevision } from '#synoptic/models/format/revision.js'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { writeTinyModel } from '../helpers/tiny-model.js'

const builtin = (model: string) =>
  fileURLToPath(new URL(`../../models/builtin/${model}/tokenizer.json`, import.meta.url))

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'synoptic-revision-'))
  writeTinyModel(folder)
})
afterEach(() => {
  vi.restoreAllMocks()
  rmSync(folder, { recursive: true })
})

/** Every file of the test is as old as this clock says. */
function setClock(milliseconds: number): void {
  vi.spyOn(Date, 'now').mockReturnValue(milliseconds)
}

const anHourOn = () => setClock(Date.now() + 3_600_000)

describe.runIf(process.platform === 'linux')('the files', () => {
  const size = 15 * 2 ** 20
  beforeEach(() => writeFileSync(join(folder, 'onnx', 'model.onnx_data'), Buffer.alloc(size, 'w')))

  async function read(times = 1) {
    const before = bytesRead()
    const revisions = await Promise.all(Array.from({ length: times }, () => modelRevision(folder)))
    expect(new Set(revisions).size).toBe(1)
    return bytesRead() - before
  }

  test('are read once, however many ask', async () => {
    anHourOn()
    expect(await read(8)).toBeLessThan(2 * size)
    expect(await read(8)).toBeLessThan(size / 10)
  })

  test('are read each time while they are so new that a change may not show', async () => {
    setClock(statSync(join(folder, 'onnx', 'model.onnx_data')).ctimeMs)
    expect(await read()).toBeGreaterThan(size)
    expect(await read()).toBeGreaterThan(size)
  })
})

test('other bytes of the same length and time change it', async () => {
  anHourOn()
  const file = join(folder, 'onnx', 'model.onnx')
  const { atime, mtime } = statSync(file)
  const revision = await modelRevision(folder)
  const { ctimeNs } = statSync(file, { bigint: true })
  const other = readFileSync(file).map((byte) => byte ^ 1)
  // The file system's clock goes in steps.
  await vi.waitFor(() => {
    writeFileSync(file, other)
    utimesSync(file, atime, mtime)
    expect(statSync(file, { bigint: true }).ctimeNs).not.toBe(ctimeNs)
  })
  expect(await modelRevision(folder)).not.toBe(revision)
})

test('a bit that flips anywhere in a large network changes it', async () => {
  anHourOn()
  const file = join(folder, 'onnx', 'model.onnx_data')
  const weights = Buffer.alloc(23 * 2 ** 20, 'w')
  const revisions = new Set<string>()
  for (const place of [undefined, 5_000_001, 11_234_567, 23 * 2 ** 20 - 1]) {
    const damaged = Buffer.from(weights)
    if (place !== undefined) damaged[place] = (damaged[place] ?? 0) ^ 1
    writeFileSync(file, damaged)
    revisions.add(await modelRevision(folder))
  }
  expect(revisions.size).toBe(4)
})

test('a file that goes and comes back changes it and restores it', async () => {
  anHourOn()
  const revision = await modelRevision(folder)
  const file = join(folder, 'tokenizer_config.json')
  renameSync(file, `${file}.away`)
  expect(await modelRevision(folder)).not.toBe(revision)
  renameSync(`${file}.away`, file)
  expect(await modelRevision(folder)).toBe(revision)
})

test('a failure is not remembered', async () => {
  anHourOn()
  const revision = await modelRevision(folder)
  const file = join(folder, 'modules.json')
  renameSync(file, `${file}.away`)
  await expect(modelRevision(folder)).rejects.toThrow('modules.json')
  renameSync(`${file}.away`, file)
  expect(await modelRevision(folder)).toBe(revision)
})

/** What this process has read, from files and elsewhere. */
const bytesRead = () => Number(/^rchar: (\d+)$/m.exec(readFileSync('/proc/self/io', 'utf8'))?.[1])

describe('the tokenizer of a built-in model that a file names', () => {
  const options = { maxTokens: 16, specialTokens: true, lowerCase: false }
  const write = (text: string | Buffer) => writeFileSync(join(folder, 'tokenizer.json'), text)

  test('counts and reads like a file of the folder', async () => {
    write(readFileSync(builtin('static-en')))
    const revision = await modelRevision(folder)
    const own = await (await loadTokenizer(folder, options)).tokenize(['a giant robot'])
    write('{ "builtin": "static-en" }\n')
    expect(await modelRevision(folder)).toBe(revision)
    const shared = await (await loadTokenizer(folder, options)).tokenize(['a giant robot'])
    expect(shared).toEqual(own)
    expect(own[0]?.ids.length).toBeGreaterThan(4)
  })

  test('is what builtin/minilm-anime has', () => {
    expect(statSync(builtin('minilm-anime')).size).toBeLessThan(100)
  })

  test.each(['{ "builtin": "../../etc" }', '{ "builtin": "" }', '{ "builtin": 1 }'])(
    'may be no path: %s',
    async (text) => {
      write(text)
      await expect(loadTokenizer(folder, options)).rejects.toThrow('tokenizer.json cannot be read')
    },
  )
})
