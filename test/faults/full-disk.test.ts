/** Commands that write files, on a disk that is full: each names the file, and leaves nothing behind. */
import { spawnSync } from 'node:child_process'
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createFeedbackFile } from '#synoptic/server/http/feedback-file.js'
import { replaceFile } from '#synoptic/base/util/replace-file.js'
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest'
import { begunFolder } from './scene.js'

const cli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url))
const sizeKiB = 16_384

let folder = ''
let disk = ''
let isMounted = false
beforeAll(async () => {
  folder = await begunFolder()
  disk = join(folder, 'disk')
  mkdirSync(disk)
  const options = `size=${sizeKiB}k`
  isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'synoptic', disk]).status === 0
})
afterAll(() => {
  if (isMounted) spawnSync('umount', ['-l', disk])
})

/** Leaves room for so many KiB. */
function fill(leftKiB: number): void {
  const file = openSync(join(disk, 'fill'), 'w')
  const block = Buffer.alloc(4096)
  try {
    for (let kib = 0; kib < sizeKiB - leftKiB; kib += 4) writeSync(file, block)
  } catch {
    // There was less room than that.
  } finally {
    closeSync(file)
  }
}

function empty(): void {
  for (const name of readdirSync(disk)) rmSync(join(disk, name), { recursive: true })
}

const run = (words: readonly string[]) =>
  spawnSync(process.execPath, [cli, ...words], { cwd: folder, encoding: 'utf8' })

const full = 'the disk is full (ENOSPC)'

interface Writer {
  readonly words: readonly string[]
  /** What the message names. */
  readonly file: string
  /** What has to be on the disk before. */
  readonly before?: () => void
  /** What is there before and stays. */
  readonly stays?: readonly string[]
}

const onDisk = (...names: string[]) => join('disk', ...names)
const table = 'title,synopsis\nOne,A boy finds a notebook that kills.\nTwo,A girl builds robots.\n'

const writers: Readonly<Record<string, Writer>> = {
  'keys add': {
    words: ['keys', 'add', 'mine', '--api-keys', onDisk('keys.json')],
    file: onDisk('keys.json'),
  },
  'data export as JSON lines': {
    words: ['data', 'export', '--dataset', 'anime', onDisk('anime.jsonl')],
    file: onDisk('anime.jsonl'),
  },
  'data export as Parquet': {
    words: ['data', 'export', '--dataset', 'anime', onDisk('anime.parquet')],
    file: onDisk('anime.parquet'),
  },
  'data init': {
    words: ['data', 'init', 'mine.csv', '--dataset', 'anime', '--into', onDisk('mine.json')],
    file: onDisk('mine.json'),
    before: () => writeFileSync(join(folder, 'mine.csv'), table),
  },
  'eval --json': {
    words: ['eval', '--dataset', 'anime', '--mode', 'lexical', '--json', onDisk('figures.json')],
    file: onDisk('figures.json'),
  },
  'eval --plot': {
    words: ['eval', '--dataset', 'anime', '--mode', 'lexical', '--plot', onDisk('figures.svg')],
    file: onDisk('figures.svg'),
  },
  'models add --new': {
    words: [
      'models',
      'add',
      fileURLToPath(new URL('../fixtures/encoders/bert', import.meta.url)),
      '--name',
      'mine/bert',
      '--new',
      '--models-dir',
      onDisk('models'),
    ],
    file: onDisk('models', 'custom.json'),
    before: () => mkdirSync(join(disk, 'models')),
    stays: ['models'],
  },
}

describe('a full disk', () => {
  const [few, many] = [Object.entries(writers).slice(0, 2), Object.entries(writers).slice(2)]
  it.for(few)('fails %s with the file', failsWithFile)
  it.for(many)('fails %s with the file', { tags: ['nightly'] }, failsWithFile)

  function failsWithFile([, writer]: readonly [string, Writer], { skip }: TestContext): void {
    if (!isMounted) skip('mounting a small tmpfs is not allowed here')
    empty()
    writer.before?.()
    const file = join(folder, writer.file)
    fill(0)
    const { status, stdout, stderr } = run(writer.words)
    expect(status, stdout + stderr).toBe(1)
    expect(stderr).toContain(`${writer.file}: ${full}`)
    expect(stderr).not.toContain(' at ')
    const left = readdirSync(disk, { recursive: true, encoding: 'utf8' })
    expect(left.filter((name) => !name.endsWith('.lock')).sort()).toEqual(
      ['fill', ...(writer.stays ?? [])].sort(),
    )
    rmSync(join(disk, 'fill'))
    const again = run(writer.words)
    expect(again.status, again.stderr).toBe(0)
    expect(existsSync(file)).toBe(true)
  }

  it('leaves a file that was there as it was', ({ skip }) => {
    if (!isMounted) skip('mounting a small tmpfs is not allowed here')
    empty()
    const file = join(disk, 'weights.json')
    writeFileSync(file, 'before')
    fill(0)
    expect(() => replaceFile(file, 'after'.repeat(10_000))).toThrow(
      expect.objectContaining({ code: 'ENOSPC', path: file }),
    )
    expect(readFileSync(file, 'utf8')).toBe('before')
    expect(readdirSync(disk).sort()).toEqual(['fill', 'weights.json'])
  })

  it('fails data index, and the catalogue is served as before', ({ skip }) => {
    if (!isMounted) skip('mounting a small tmpfs is not allowed here')
    empty()
    const files = readdirSync(join(folder, 'data')).filter((name) => name.startsWith('catalogue.'))
    const kept = files.filter((name) => !name.endsWith('.lock'))
    for (const name of kept) copyFileSync(join(folder, 'data', name), join(disk, name))
    fill(0)
    const { status, stderr } = run(['data', 'index', '--data-dir', 'disk'])
    expect(status).toBe(1)
    expect(stderr).toMatch(/^error: .*disk\/catalogue\.sqlite.*: the disk is full \(ENOSPC\)/m)
    const left = readdirSync(disk).filter((name) => !name.endsWith('.lock'))
    expect(left.sort()).toEqual([...kept, 'fill'].sort())
  })

  it('keeps a line of feedback whole or not at all', async ({ skip }) => {
    if (!isMounted) skip('mounting a small tmpfs is not allowed here')
    empty()
    const path = join(disk, 'feedback.jsonl')
    const feedback = createFeedbackFile(path)
    const feedbackLine = {
      dataset: 'anime',
      query: 'robots '.repeat(900),
      work: 1,
      rank: 1,
    } as const
    await feedback.keep(feedbackLine)
    const line = readFileSync(path, 'utf8')
    fill(0)
    // The first one finds the rest of a page, which has room for a part of it.
    for (let i = 0; i < 3; i += 1) {
      await expect(feedback.keep(feedbackLine)).rejects.toMatchObject({ code: 'ENOSPC', path })
      expect(readFileSync(path, 'utf8')).toBe(line)
    }
    rmSync(join(disk, 'fill'))
    await feedback.keep(feedbackLine)
    expect(readFileSync(path, 'utf8')).toBe(line + line)
  })
})
