/** The command line in a process of its own, as `./synoptic` starts it. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export const program = fileURLToPath(new URL('../../synoptic', import.meta.url))

export interface RunOptions {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  /** It is killed then, and has no code. */
  readonly timeoutMs?: number
}

export function synoptic(words: readonly string[], { cwd, env, timeoutMs }: RunOptions = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...words], {
    encoding: 'utf8',
    cwd,
    timeout: timeoutMs,
    env: { PATH: process.env.PATH, ...env },
  })
  return { code: status, stdout, stderr }
}
