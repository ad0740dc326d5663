/** Runs a program in the background of a server: its own process, which reports by messages and is killed when the server stops. */
import { fork } from 'node:child_process'
import { once } from 'node:events'

export interface BackgroundProgram<Message extends object> {
  /** A module of this program. Its one argument is the work, as JSON. */
  readonly file: string
  readonly work: object
  readonly onMessage?: (message: Message) => void
  /** Called once, with what sends it messages. */
  readonly onStarted?: (send: (message: string) => void) => void
  /** Called with a message's `problem`, and with what a process that fails has written to its standard error. */
  readonly onProblem: (problem: string) => void
  /** Kills it. Its files appear whole or not at all, so there is nothing to wait for. */
  readonly signal: AbortSignal
}

/** Resolves to whether it has ended well, when it has ended. Does not start where the server stops already. */
export async function runInBackground<Message extends object>({
  file,
  work,
  onMessage,
  onStarted,
  onProblem,
  signal,
}: BackgroundProgram<Message>): Promise<boolean> {
  const isStopping = () => signal.aborted
  if (isStopping()) return false
  // None of this process's flags but this one: an inspector would want a port of its own.
  const child = fork(file, [JSON.stringify(work)], {
    execArgv: ['--v8-pool-size=1'],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  const kill = () => child.kill('SIGKILL')
  signal.addEventListener('abort', kill, { once: true })
  let complaint = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    complaint = `${complaint}${text}`.slice(-maxComplaint)
  })
  child.on('message', (message: Message | { readonly problem: string }) => {
    if ('problem' in message) onProblem(message.problem)
    else onMessage?.(message)
  })
  onStarted?.((message) => {
    // One that has ended reads nothing; the end is noticed below.
    if (child.connected) child.send(message, () => undefined)
  })
  try {
    // `close` does not come where this process has closed the channel.
    await once(child, 'exit')
  } finally {
    signal.removeEventListener('abort', kill)
  }
  const { exitCode, signalCode } = child
  if (exitCode === 0) return true
  if (!isStopping() && complaint !== '')
    onProblem(`it ended with ${signalCode ?? exitCode}: ${complaint.trim()}`)
  return false
}

const maxComplaint = 2000
