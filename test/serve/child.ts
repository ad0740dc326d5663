/** `synoptic serve` as a child process in a folder of its own. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export const cli = fileURLToPath(import.meta.resolve('#synoptic/cli.js'))

export interface ServerChild {
  readonly child: ChildProcess
  /** `http://127.0.0.1:…` */
  readonly origin: string
  readonly output: { stdout: string; stderr: string }
  /** Sends a signal; answers the exit status once all of the output is there. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

/** Resolves once the server has printed its address; rejects with its output where it ends before. */
export async function startServer(
  folder: string,
  words: readonly string[] = [],
  nodeFlags: readonly string[] = [],
  environment: NodeJS.ProcessEnv = {},
  program = cli,
): Promise<ServerChild> {
  const args = [...nodeFlags, program, 'serve', '--host', '127.0.0.1', '--port', '0', ...words]
  // vitest.config.js says why.
  const { PATH, SYNOPTIC_SEARCH_ENCODER } = process.env
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { PATH, SYNOPTIC_SEARCH_ENCODER, ...environment },
  })
  const output = { stdout: '', stderr: '' }
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text))
  // `exit` may come before the last of the output; `close` does not.
  const closed = once(child, 'close') as Promise<[number | null]>
  const origin = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output.stdout += text
      const [, address] = /is ready at (http:\S+)[^]*\n {2}curl .*\n$/.exec(output.stdout) ?? []
      if (address !== undefined) resolve(address)
    })
    void closed.then(() => reject(new Error(output.stderr)))
  })
  return {
    child,
    origin,
    output,
    async stop(signal = 'SIGTERM') {
      child.kill(signal)
      const [status] = await closed
      return status
    },
  }
}

/** Process ids of its workers, where it has several. */
export const workersOf = ({ child }: Pick<ServerChild, 'child'>): number[] =>
  spawnSync('pgrep', ['-P', String(child.pid)], { encoding: 'utf8' })
    .stdout.split('\n')
    .filter((line) => line !== '')
    .map(Number)

export async function ask(origin: string, body: object, dataset = 'anime') {
  const response = await fetch(`${origin}/searchmodel/${dataset}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

export const deathNote = {
  model: 'builtin/static-en',
  description: "a boy who gains a notebook that kills whoever's name is written in it",
}
