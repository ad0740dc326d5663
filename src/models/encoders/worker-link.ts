/** The life of one worker thread: it is started, listened to and closed. Its end is reported once. */
import { setTimeout as delay } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { EncoderError, ModelLoadError } from '../../base/errors/index.js'
import { requireOnnxRuntime } from './onnx-runtime.js'
import type { FromWorker, ModelFacts, ToWorker, WorkerStart } from './protocol.js'

export interface WorkerLink {
  readonly facts: ModelFacts
  /** Resolves when the worker is gone although nobody closed it, be it before anybody had this link. */
  readonly died: Promise<EncoderError>
  send(message: ToWorker): void
  /** Lets the worker keep the process alive. */
  ref(): void
  /** Lets the process end while the worker is idle. A worker that is being closed still keeps it alive. */
  unref(): void
  /** Lets the batch at hand end, then frees the model; waits 10 s at most. Idempotent. */
  close(): Promise<void>
}

export type Answers = Extract<FromWorker, { kind: 'answers' }>

/**
 * ONNX Runtime, from 1.29 on, reports every process and model to its makers, and stores what it could not
 * send in the user's home folder. It reads the environment of the process; threads have copies of it.
 */
process.env.ORT_DISABLE_TELEMETRY ??= '1'

/**
 * A batch of the largest models takes seconds; what takes longer than this is left to end by itself.
 * `terminate()` ends no native code, and where it meets a thread in ONNX Runtime's addon, that aborts
 * the process (it is compiled without NODE_API_SWALLOW_UNTHROWABLE_EXCEPTIONS).
 */
const closeTimeoutMs = 10_000

/** Rejects with a ModelLoadError, a PlatformError, or an EncoderError where the worker died on the way. */
export async function startWorker(
  start: WorkerStart,
  settle: (answers: Answers) => void,
): Promise<WorkerLink> {
  requireOnnxRuntime()
  const worker = new Worker(new URL('./worker.js', import.meta.url), {
    workerData: start,
    // What the process was started with, say --input-type or --inspect, is not for workers.
    execArgv: [],
    name: `encoder ${start.model}`,
  })
  const gone = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
  let closing: Promise<void> | undefined

  return new Promise((resolve, reject) => {
    let tellDeath: (error: EncoderError) => void = () => undefined
    const died = new Promise<EncoderError>((tell) => (tellDeath = tell))
    const die = (problem: string, cause?: unknown) => {
      if (closing !== undefined) return
      const error = new EncoderError(start.model, 'failed', `stopped: ${problem}`, { cause })
      reject(error)
      tellDeath(error)
    }
    worker.on('message', (message: FromWorker) => {
      if (message.kind === 'answers') settle(message)
      else if (message.kind === 'unloadable')
        reject(new ModelLoadError(start.model, message.problem))
      else resolve({ facts: message.facts, died, send, ref, unref, close })
    })
    worker.once('error', (error) => die('its worker thread failed', error))
    worker.once('exit', (code) => die(`its worker thread ended with exit code ${code}`))
  })

  function send(message: ToWorker): void {
    worker.postMessage(message)
  }

  function ref(): void {
    worker.ref()
  }

  function unref(): void {
    if (closing === undefined) worker.unref()
  }

  function close(): Promise<void> {
    closing ??= shutDown()
    return closing
  }

  async function shutDown(): Promise<void> {
    worker.ref()
    worker.postMessage({ kind: 'close' } satisfies ToWorker)
    await Promise.race([gone, delay(closeTimeoutMs, undefined, { ref: false })])
    worker.unref()
  }
}
