/** SIGHUP while a server starts: the reload waits, and is not lost. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { begunFolder } from '../faults/scene.js'
import { cli } from './child.js'
import { until } from './load.js'

/** The signals that a process handles itself. */
const catches = (pid: number, signal: number) =>
  (Number.parseInt(
    /^SigCgt:\s*[0-9a-f]*([0-9a-f]{8})$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ??
      '0',
    16,
  ) &
    (1 << (signal - 1))) !==
  0

it.skipIf(process.platform !== 'linux')(
  'a reload that is asked for in a start comes after it',
  async () => {
    const child = spawn(process.execPath, [cli, 'serve', '--port', '0', '--log-file', 'none'], {
      cwd: await begunFolder(),
      env: { PATH: process.env.PATH, SYNOPTIC_SEARCH_ENCODER: 'builtin/static-en' },
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text))
    await until(() => catches(child.pid ?? 0, 1))
    expect(output).not.toContain('is ready')
    child.kill('SIGHUP')
    await until(() => output.includes('is ready'))
    await until(() => output.includes('"reloaded"'))
    child.kill('SIGTERM')
    expect(await once(child, 'close')).toEqual([0, null])
  },
)
