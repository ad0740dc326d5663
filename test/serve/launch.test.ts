/** What Node is started with, however the server is. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, test, vi } from 'vitest'
import { importSample } from './sample.js'

const project = fileURLToPath(new URL('../..', import.meta.url))
const read = (name: string) => readFileSync(join(project, name), 'utf8')
const flagsOf = (line: string) => line.match(/ --[\w-]+=\S+/g)

describe('Node', () => {
  test('gets the same flags from every way to start the server', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: { start: string } }
    const flags = flagsOf(scripts.start)
    expect(flags).not.toBeNull()
    for (const name of ['synoptic', 'synoptic.cmd', 'dist/cli.js']) {
      const [first = ''] = read(name).split('\n')
      expect(flagsOf(first), name).toEqual(flags)
    }
  })

  test('has one thread for V8 and no inspector, in the primary and in the workers', async ({
    skip,
  }) => {
    if (process.platform !== 'linux') skip('there is no /proc')
    const folder = mkdtempSync(join(tmpdir(), 'synoptic-launch-'))
    await importSample(folder)
    const words = ['serve', '--host', '127.0.0.1', '--port', '0', '--workers', '2']
    // Without /map and /search, nothing is made in a process of its own.
    words.push('--enable-routes', 'health,searchmodel')
    const path = `${dirname(process.execPath)}:${process.env.PATH ?? ''}`
    const env = { PATH: path }
    const child = spawn(join(project, 'synoptic'), words, { cwd: folder, env })
    const closed = once(child, 'close')
    try {
      let output = ''
      child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text))
      child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
      await vi.waitFor(() => expect(output).toContain('is ready at http:'), { timeout: 170_000 })
      const children = `/proc/${child.pid}/task/${child.pid}/children`
      const workers = readFileSync(children, 'utf8').trim().split(' ')
      expect(workers).toHaveLength(2)
      for (const pid of [String(child.pid), ...workers]) {
        const [, ...line] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
        expect(line).toContain('--v8-pool-size=1')
        process.kill(Number(pid), 'SIGUSR1')
      }
      // By which anybody on the machine could run code in the server.
      await sleep(500)
      expect(output).not.toMatch(/Debugger listening|Starting inspector/)
      expect(child.exitCode).toBeNull()
    } finally {
      child.kill()
      await closed
      rmSync(folder, { recursive: true })
    }
  })
})
