import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'

const scratch = mkdtempSync(join(tmpdir(), 'synoptic-log-'))
afterAll(() => rmSync(scratch, { recursive: true }))

describe('the log', () => {
  const log = fileURLToPath(import.meta.resolve('#synoptic/base/observability/log.js'))
  const write = (options: object) =>
    spawnSync(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        `import { openLog } from ${JSON.stringify(log)}
         const { logger, close } = await openLog(${JSON.stringify(options)})
         logger.debug('hidden'); logger.info({ a: 1 }, 'one'); logger.error(new Error('two'))
         await close()`,
      ],
      { encoding: 'utf8', timeout: 170_000 },
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

  it('holds no control characters, however it is read', ({ skip }) => {
    const source = `import { openLog } from ${JSON.stringify(log)}
      const { logger, close } = await openLog({ level: 'info', file: 'none' })
      logger.info({ path: '/\\u009b2J\\x1b[31m' }, 'a\\rb')
      await close()`
    const args = ['--input-type=module', '-e', source]
    const { stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    expect(stderr).not.toMatch(/(?!\n)\p{Cc}/u)
    expect(JSON.parse(stderr)).toMatchObject({ path: '/\u009b2J\x1b[31m', msg: 'a\rb' })

    // On a terminal it is read by people.
    const file = join(scratch, 'log.mjs')
    writeFileSync(file, source)
    const words = ['-qec', `NO_COLOR=1 ${process.execPath} ${file}`, '/dev/null']
    const terminal = spawnSync('script', words, { encoding: 'utf8' })
    if (terminal.error !== undefined) skip('there is no script (Debian: apt install bsdutils)')
    expect(terminal.stdout).toContain('/\\u009b2J\\u001b[31m')
    // Its own colours are fine; `script` ends lines with a carriage return.
    expect(stripVTControlCharacters(terminal.stdout)).not.toMatch(/(?![\r\n])\p{Cc}/u)
    expect(terminal.stdout).toContain('a\\rb')
  })

  it('has one line a request on a terminal, and of an error its stack', ({ skip }) => {
    const file = join(scratch, 'request.mjs')
    const request = { requestId: 'r1', method: 'GET', path: '/a', status: 200, durationMs: 1.5 }
    writeFileSync(
      file,
      `import { openLog } from ${JSON.stringify(log)}
      const { logger, close } = await openLog({ level: 'info', file: 'none' })
      logger.info(${JSON.stringify({ ...request, phases: { scan: 1 } })}, 'request')
      logger.info(${JSON.stringify({ ...request, problem: 'not-found' })}, 'request')
      logger.info({ dataset: 'anime', works: 3 }, 'a map is ready')
      logger.error({ requestId: 'r2', err: new Error('broken') }, 'internal-error')
      await close()`,
    )
    const words = ['-qec', `NO_COLOR=1 ${process.execPath} ${file}`, '/dev/null']
    const terminal = spawnSync('script', words, { encoding: 'utf8' })
    if (terminal.error !== undefined) skip('there is no script (Debian: apt install bsdutils)')
    const [one, two, three, ...rest] = stripVTControlCharacters(terminal.stdout).split('\r\n')
    expect(one).toContain(`INFO: request ${JSON.stringify(request)}`)
    expect(one).not.toContain('scan')
    expect(two).toContain('"problem":"not-found"}')
    expect(three).toContain('a map is ready {"dataset":"anime","works":3}')
    expect(rest[0]).toContain('internal-error {"requestId":"r2"}')
    expect(rest.join('\n')).toMatch(/broken[^]*\n +at /)
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
         const { logger, close } = await openLog({ level: 'info', file: 'none' })
         for (let i = 0; i < 100; i++) logger.info('x'.repeat(20_000))
         await close()`,
      ],
      { stdio: ['ignore', 'ignore', 'pipe'] },
    )
    // More than it holds for a later reader.
    child.stderr.pause()
    expect(await once(child, 'exit')).toEqual([0, null])
    child.stderr.destroy()
  })

  it('writes no file where the setting is none', () => {
    const { stderr, status } = write({ level: 'error', file: 'none' })
    expect(status).toBe(0)
    expect(stderr).toContain('two')
    expect(stderr).not.toContain('"one"')
    expect(existsSync('none')).toBe(false)
  })
})
