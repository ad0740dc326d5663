/** What the primary does with one worker process: wait for its start or its end, reload it, stop it. */
import type { Worker } from 'node:cluster'
import { once } from 'node:events'
import type { PrimaryMessage, WorkerMessage } from './messages.js'

/** Resolves with the port once the worker serves. @throws Error where it ends before */
export function waitForReady(worker: Worker): Promise<number> {
  return new Promise((resolve, reject) => {
    worker.on('message', (message: WorkerMessage) => {
      if (message.kind === 'ready') resolve(message.port)
    })
    void waitForEnd(worker).then(() => {
      const { exitCode, signalCode } = worker.process
      const status = signalCode ?? `status ${exitCode}`
      reject(new Error(`a worker ended before it could serve (${status}); its message is above`))
    })
  })
}

/**
 * Resolves when the worker has ended, at once where it has ended already. An `error` may be a message that could not be
 * sent, which ends nothing; a worker that could not even be forked has no other event.
 */
export function waitForEnd(worker: Worker): Promise<void> {
  return new Promise((resolve) => {
    const check = () => {
      if (worker.isDead()) resolve()
    }
    check()
    worker.once('exit', () => resolve()).on('error', check)
  })
}

/** A worker that dies during the reload has no problem: the next one opens what is on disk then. */
export async function reloadWorker(worker: Worker): Promise<void> {
  // The channel may outlive the worker for a moment, and then no reply comes.
  if (worker.isDead() || !worker.isConnected()) return
  const replied = new Promise<string | undefined>((resolve) => {
    const onMessage = (message: WorkerMessage) => {
      if (message.kind === 'reloaded') finish(message.problem)
    }
    const onExit = () => finish(undefined)
    function finish(problem: string | undefined): void {
      worker.off('message', onMessage).off('exit', onExit)
      resolve(problem)
    }
    worker.on('message', onMessage).once('exit', onExit)
  })
  sendTo(worker, { kind: 'reload' })
  const problem = await replied
  if (problem !== undefined) throw new Error(problem)
}

/** @param isServing a worker that does not serve yet has no request to finish and may not read messages */
export async function stopWorker(
  worker: Worker,
  isServing: boolean,
  graceMs: number,
): Promise<void> {
  if (worker.isDead()) return
  const ended = waitForEnd(worker)
  if (isServing) sendTo(worker, { kind: 'stop' })
  else worker.process.kill('SIGTERM')
  const kill = setTimeout(() => worker.process.kill('SIGKILL'), graceMs)
  await ended
  clearTimeout(kill)
  // The last lines of its log may come after its end.
  const { stdout } = worker.process
  if (stdout?.closed === false) await once(stdout, 'close')
}

/** A worker that has ended reads no message. */
export function sendTo(worker: Worker, message: PrimaryMessage): void {
  if (worker.isConnected()) worker.send(message)
}
