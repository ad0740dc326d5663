/**
 * The command line in this process, which spares the start of another one (@own-process: it changes the folder,
 * the environment and the streams of the process). What a command prints is taken from
 * the streams of the process, so one command runs at a time. Signals, exit statuses and the banner of a server need
 * a process: run-cli.ts.
 */
import { fileURLToPath } from 'node:url'
import { runProgram } from '#synoptic/cli/program.js'

const cli = fileURLToPath(import.meta.resolve('#synoptic/cli.js'))

export interface HereOptions {
  /** What the user calls the program by; run-cli.ts has `program`. */
  readonly script?: string
  readonly cwd?: string
  /** All that the command sees of the environment, with PATH; without it, that of the tests. */
  readonly env?: Readonly<Record<string, string>>
}

export interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

export async function synopticHere(
  words: readonly string[],
  { cwd = process.cwd(), env, script = cli }: HereOptions = {},
): Promise<Ended> {
  const before = { cwd: process.cwd(), env: process.env, argv: process.argv }
  const restore = [capture(process.stdout), capture(process.stderr)] as const
  process.chdir(cwd)
  process.argv = [process.execPath, script, ...words]
  if (env !== undefined) process.env = { PATH: before.env.PATH, TMPDIR: before.env.TMPDIR, ...env }
  try {
    const code = await runProgram(words)
    return { code, stdout: restore[0](), stderr: restore[1]() }
  } finally {
    for (const end of restore) end()
    process.chdir(before.cwd)
    process.argv = before.argv
    process.env = before.env
  }
}

/** Keeps what is written; the function that it returns ends that, and returns the text. */
function capture(stream: NodeJS.WriteStream): () => string {
  let text = ''
  const write = stream.write.bind(stream)
  stream.write = (chunk: string | Uint8Array, ...rest: unknown[]) => {
    text += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString()
    const done = rest.at(-1)
    if (typeof done === 'function') (done as () => void)()
    return true
  }
  return () => {
    stream.write = write
    return text
  }
}
