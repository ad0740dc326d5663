import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { openRotatingFile } from '#synoptic/observability/rotating-file.js'

const scratch = mkdtempSync(join(tmpdir(), 'synoptic-log-'))
afterAll(() => rmSync(scratch, { recursive: true }))
const fail = (error: unknown) => {
  throw error
}

describe('a rotating file', () => {
  it('keeps its name, and ten backups with the newest first', async () => {
    const file = join(scratch, 'rotate', 'api.log')
    for (let round = 0; round < 14; round++) {
      // Each line fills a file, so each opening finds a full one.
      const rotating = openRotatingFile(file, fail, 100)
      rotating.write(`${round} ${'x'.repeat(100)}\n`)
      await rotating.close()
    }
    const names = readdirSync(join(scratch, 'rotate'))
    expect(names.sort()).toEqual(
      ['api.log', ...Array.from({ length: 10 }, (_, i) => `api.log.${i + 1}`)].sort(),
    )
    const roundOf = (name: string) => {
      return Number.parseInt(readFileSync(join(scratch, 'rotate', name), 'utf8'))
    }
    expect(roundOf('api.log')).toBe(13)
    for (let number = 1; number <= 10; number++)
      expect(roundOf(`api.log.${number}`)).toBe(13 - number)
  })

  it('loses no line and passes the limit by no more than one write', async () => {
    const file = join(scratch, 'many', 'api.log')
    const rotating = openRotatingFile(file, fail, 100_000)
    const lines = Array.from(
      { length: 9000 },
      (_, i) => `${String(i).padStart(8, '0')} ${'y'.repeat(60)}\n`,
    )
    for (const [i, line] of lines.entries()) {
      rotating.write(line)
      if (i % 50 === 0) await new Promise(setImmediate)
    }
    await rotating.close()
    const files = [...Array.from({ length: 10 }, (_, i) => `${file}.${10 - i}`), file].filter((f) =>
      existsSync(f),
    )
    expect(files.length).toBeGreaterThan(4)
    for (const name of files) expect(statSync(name).size).toBeLessThan(100_000 + 70)
    expect(files.map((name) => readFileSync(name, 'utf8')).join('')).toBe(lines.join(''))
  })

  it('goes on with a file that is there', async () => {
    const file = join(scratch, 'old.log')
    writeFileSync(file, 'old\n')
    const rotating = openRotatingFile(file, fail)
    rotating.write('new\n')
    await rotating.close()
    expect(readFileSync(file, 'utf8')).toBe('old\nnew\n')
  })

  it.skipIf(process.platform !== 'linux')(
    'takes nothing from others who write to it when the disk is full, and goes on in the middle of a line',
    () => {
      const file = join(scratch, 'shared.log')
      const module = fileURLToPath(import.meta.resolve('#synoptic/observability/rotating-file.js'))
      const { stdout, stderr } = spawnSync(
        process.execPath,
        [
          '--input-type=module',
          '-e',
          `import { execFileSync } from 'node:child_process'
           import { openRotatingFile } from ${JSON.stringify(module)}
           const limitBytes = (bytes) =>
             execFileSync('prlimit', ['--pid', String(process.pid), '--fsize=' + bytes + ':'])
           const one = openRotatingFile(${JSON.stringify(file)}, console.log)
           let tell
           const failed = new Promise((resolve) => (tell = resolve))
           const other = openRotatingFile(${JSON.stringify(file)}, tell)
           one.write('first of one\\n')
           await one.close()
           limitBytes(20)
           other.write('first of other\\n')
           console.log((await failed).code)
           limitBytes('unlimited')
           other.write('second of other\\n')
           await other.close()`,
        ],
        { encoding: 'utf8' },
      )
      expect([stdout, stderr]).toEqual(['EFBIG\n', ''])
      const lines = 'first of one\nfirst of other\nsecond of other\n'
      expect(readFileSync(file, 'utf8')).toBe(lines)
    },
  )

  it('throws where it cannot be opened', () => {
    const file = join(scratch, 'a-file')
    writeFileSync(file, '')
    expect(() => openRotatingFile(join(file, 'api.log'), fail)).toThrow(/ENOTDIR|EEXIST/)
  })
})

describe('the log', () => {
  const log = fileURLToPath(import.meta.resolve('#synoptic/observability/log.js'))
  const write = (options: object) =>
    spawnSync(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        `import { openLog } from ${JSON.stringify(log)}
         const { logger, close } = openLog(${JSON.stringify(options)})
         logger.debug('hidden'); logger.info({ a: 1 }, 'one'); logger.error(new Error('two'))
         await close()`,
      ],
      { encoding: 'utf8', timeout: 120_000 },
    )

  it('is JSON lines in the file and on stderr', () => {
    const file = join(scratch, 'folder', 'api.log')
    const { stderr, stdout, status } = write({ level: 'info', file })
    expect([status, stdout]).toEqual([0, ''])
    const lines = readFileSync(file, 'utf8').trim().split('\n')
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { level: 30, a: 1, msg: 'one', time: expect.stringMatching(/^\d{4}-.*Z$/) as string },
      { level: 50, err: { message: 'two' } },
    ])
    expect(stderr.trim().split('\n')).toEqual(lines)
  })

  const nowhere = join(scratch, 'leads-nowhere')
  symlinkSync(join(scratch, 'nothing-here'), nowhere)
  it.each<string[]>([
    ['below a file', join(fileURLToPath(import.meta.url), 'logs')],
    ['behind a link that leads nowhere', nowhere],
    ['below such a link', join(nowhere, 'logs')],
    ...(process.platform === 'linux' ? [['below /proc', '/proc/synoptic/logs']] : []),
  ])('warns once and goes on where its folder is %s', (_, folder = '') => {
    const { stderr, status } = write({ level: 'info', file: join(folder, 'api.log') })
    expect(status).toBe(0)
    expect(stderr.match(/cannot be written/g)).toHaveLength(1)
    expect(stderr).toContain('"msg":"one"')
  })

  it('is closed although nobody reads stderr', async () => {
    const child = spawn(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        `import { openLog } from ${JSON.stringify(log)}
         const { logger, close } = openLog({ level: 'info', file: 'none' })
         for (let i = 0; i < 100; i++) logger.info('x'.repeat(20_000))
         await close()`,
      ],
      { stdio: ['ignore', 'ignore', 'pipe'] },
    )
    // More than it holds for whoever reads later.
    child.stderr.pause()
    expect(await once(child, 'exit')).toEqual([0, null])
    child.stderr.destroy()
  })

  it('writes no file where none is wanted', () => {
    const { stderr, status } = write({ level: 'error', file: 'none' })
    expect(status).toBe(0)
    expect(stderr).toContain('two')
    expect(stderr).not.toContain('one')
    expect(existsSync('none')).toBe(false)
  })
})
