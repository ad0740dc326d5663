import { spawnSync } from 'node:child_process'
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { openLogFile } from '#synoptic/base/observability/log-file.js'
import { cli } from '../serve/child.js'

const scratch = mkdtempSync(join(tmpdir(), 'synoptic-log-file-'))
afterAll(() => rmSync(scratch, { recursive: true }))
const fail = (error: unknown) => {
  throw error
}
let folders = 0
function newFolder(): string {
  const folder = join(scratch, String((folders += 1)))
  mkdirSync(folder)
  return folder
}
/** Of the files with a number, the oldest first. */
const numbersIn = (folder: string) =>
  readdirSync(folder)
    .map((name) => Number(/^api\.(\d+)\.log$/.exec(name)?.[1] ?? NaN))
    .filter((number) => !Number.isNaN(number))
    .sort((a, b) => a - b)
/**
 * The numbers once the oldest files are gone. pino-roll removes them while it opens the next one: it leaves
 * that out where it looks at the folder first, and then one file more stays.
 */
async function numbersKept(folder: string, last: number): Promise<number[]> {
  while (numbersIn(folder).length > 12) await sleep(1)
  const numbers = numbersIn(folder)
  expect(numbers.length).toBeGreaterThanOrEqual(11)
  expect(numbers).toEqual(numbers.map((_, i) => last - numbers.length + 1 + i))
  return numbers
}
/** Of each line its first word. */
const firstWords = (file: string) =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(' ')[0])

describe('the log file', () => {
  it('is a link to the current file, and ten older ones are kept', async () => {
    const folder = newFolder()
    const file = join(folder, 'api.log')
    const log = await openLogFile(file, fail, { limitBytes: 1000 })
    for (let i = 0; i < 40; i++) {
      log.write(`${i} ${'x'.repeat(1000)}\n`)
      // Each line fills a file; its next one is there before the next line.
      while (readlinkSync(file) !== `api.${i + 2}.log`) await sleep(1)
    }
    log.write('last line\n')
    await log.close()
    expect(firstWords(file)).toEqual(['last'])
    expect(readlinkSync(file)).toBe('api.41.log')
    const numbers = await numbersKept(folder, 41)
    for (const number of numbers.slice(0, -1))
      expect(firstWords(join(folder, `api.${number}.log`))).toEqual([String(number - 1)])
  })

  it('keeps ten older ones of earlier runs too, and leaves the files of others alone', async () => {
    const folder = newFolder()
    const file = join(folder, 'api.log')
    const others = ['other.log', 'api-2.1.log', 'api.log.1', 'apis.1.log']
    for (const name of others) writeFileSync(join(folder, name), name)
    for (let run = 0; run < 15; run++) {
      const log = await openLogFile(file, fail, { limitBytes: 100 })
      log.write(`${run} ${'x'.repeat(100)}\n`)
      while (readlinkSync(file) !== `api.${run + 2}.log`) await sleep(1)
      await log.close()
    }
    const last = await openLogFile(file, fail, { limitBytes: 100 })
    await last.close()
    await numbersKept(folder, 16)
    for (const name of others) expect(readFileSync(join(folder, name), 'utf8')).toBe(name)
  })

  it('loses no line where it begins new files', async () => {
    const folder = newFolder()
    const log = await openLogFile(join(folder, 'api.log'), fail, { limitBytes: 100_000 })
    const lines = Array.from({ length: 9000 }, (_, i) => `${i} ${'y'.repeat(60)}\n`)
    for (const [i, line] of lines.entries()) {
      log.write(line)
      // pino-roll begins a new file once all lines are written.
      if (i % 200 === 0) await sleep(5)
    }
    await log.close()
    const files = numbersIn(folder).map((number) => join(folder, `api.${number}.log`))
    expect(files.length).toBeGreaterThan(1)
    expect(files.map((name) => readFileSync(name, 'utf8')).join('')).toBe(lines.join(''))
  })

  it('goes on with the file of the last run, and keeps the log of an earlier version', async () => {
    const folder = newFolder()
    const file = join(folder, 'api.log')
    writeFileSync(file, 'earlier version\n')
    for (const run of ['first', 'second']) {
      const log = await openLogFile(file, fail)
      log.write(`${run} run\n`)
      await log.close()
    }
    expect(firstWords(file)).toEqual(['first', 'second'])
    expect(firstWords(join(folder, 'api.0.log'))).toEqual(['earlier'])
    expect(lstatSync(file).isSymbolicLink()).toBe(true)
  })

  it('replaces a link that leads nowhere or elsewhere, not what it leads to', async () => {
    const folder = newFolder()
    const file = join(folder, 'api.log')
    const elsewhere = join(folder, 'precious.txt')
    writeFileSync(elsewhere, 'precious')
    for (const target of ['nothing-here', elsewhere]) {
      rmSync(file, { force: true })
      symlinkSync(target, file)
      const log = await openLogFile(file, fail)
      log.write('line\n')
      await log.close()
      expect(readlinkSync(file)).toBe('api.1.log')
    }
    expect(readFileSync(elsewhere, 'utf8')).toBe('precious')
  })

  it.skipIf(process.platform !== 'linux')(
    'waits for room where the disk is full, and goes on in the middle of a line',
    () => {
      const file = join(newFolder(), 'api.log')
      const module = fileURLToPath(import.meta.resolve('#synoptic/base/observability/log-file.js'))
      const { stdout, stderr } = spawnSync(
        process.execPath,
        [
          '--input-type=module',
          '-e',
          `import { execFileSync } from 'node:child_process'
           import { openLogFile } from ${JSON.stringify(module)}
           const limitBytes = (bytes) =>
             execFileSync('prlimit', ['--pid', String(process.pid), '--fsize=' + bytes + ':'])
           let notify
           const failed = new Promise((resolve) => (notify = resolve))
           const log = await openLogFile(${JSON.stringify(file)}, notify)
           limitBytes(20)
           log.write('first of all lines\\nsecond of all\\n')
           console.log((await failed).code)
           limitBytes('unlimited')
           log.write('third of all\\n')
           await log.close()`,
        ],
        { encoding: 'utf8' },
      )
      expect([stdout, stderr]).toEqual(['EFBIG\n', ''])
      expect(readFileSync(file, 'utf8')).toBe('first of all lines\nsecond of all\nthird of all\n')
    },
  )
})

describe('--log-file', () => {
  const refusal = async (file: string) => {
    const error: unknown = await openLogFile(file, fail).catch((error: unknown) => error)
    return error instanceof Error ? error.message : 'it was opened'
  }

  it('that is a FIFO without a reader ends the start at once', () => {
    const fifo = join(newFolder(), 'fifo')
    expect(spawnSync('mkfifo', [fifo]).status).toBe(0)
    const words = [cli, 'serve', '--port', '0', '--log-file', fifo]
    const { status, stderr, stdout } = spawnSync(process.execPath, words, {
      cwd: newFolder(),
      encoding: 'utf8',
      timeout: 170_000,
    })
    expect([status, stdout]).toEqual([2, ''])
    expect(stderr).toContain(`--log-file: expected a regular file`)
    expect(stderr).toContain(`${fifo} is a FIFO`)
  })

  it('may be no folder, device or socket', async () => {
    const folder = newFolder()
    expect(await refusal(folder)).toMatch(/^--log-file: .* is a folder$/)
    expect(await refusal('/dev/null')).toMatch(/^--log-file: .* none .* is a device$/)
    const socket = join(folder, 'socket')
    const server = createServer().listen(socket)
    await new Promise((resolve) => server.once('listening', resolve))
    expect(await refusal(socket)).toMatch(/^--log-file: .* is a socket$/)
    server.close()
    const link = join(folder, 'link.log')
    symlinkSync('/dev/null', link)
    expect(await refusal(link)).toMatch(/is a device$/)
  })

  it.each(['a:b.log', 'what?.log', 'all*.log', '"quoted".log', 'a|b.log', '<in>.log'])(
    'may not be %s',
    async (name) => {
      expect(await refusal(join(newFolder(), name))).toMatch(/^--log-file: expected a path without/)
    },
  )

  it('throws where it cannot be opened', async () => {
    const file = join(newFolder(), 'a-file')
    writeFileSync(file, '')
    expect(await refusal(join(file, 'api.log'))).toMatch(/ENOTDIR|EEXIST/)
  })
})
