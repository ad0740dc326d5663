import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { program } from '../helpers/run-cli.js'

/** Runs a command in its own process, so that connections of the tests are kept alive meanwhile. */
export async function synoptic(words: readonly string[], cwd: string) {
  const child = spawn(process.execPath, [program, ...words], {
    cwd,
    env: { PATH: process.env.PATH },
  })
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, stdout, stderr }
}
