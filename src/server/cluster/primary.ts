/**
 * The primary of several processes: it forks the workers, starts others for those that die, holds what they
 * share (the counts of the rate limit and the log file) and stops them together. It serves nothing itself.
 */
import cluster, { type Worker } from 'node:cluster'
import { setMaxListeners } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { Counter } from 'prom-client'
import type { KeyRecord } from '../../base/keys/key-record.js'
import type { RateStores } from '../http/limits/rate-window.js'
import type { Writes } from '../http/writes.js'
import type { Analytics } from '../analytics/analytics.js'
import type { Log } from '../../base/observability/log.js'
import { createProcessReport } from '../metrics/process-report.js'
import { createBackOff } from '../../base/util/back-off.js'
import { countedMessage, type WorkerMessage } from './messages.js'
import { createMergedMetrics } from './shared-metrics.js'
import { answerWrite } from './shared-writes.js'
import { sharePort } from './shared-port.js'
import { reloadWorker, sendTo, stopWorker, waitForEnd, waitForReady } from './worker-process.js'

export interface PrimaryOptions {
  readonly workers: number
  readonly host: string
  readonly port: number
  readonly rateStores: RateStores
  /** Those of the key file; absent where no keys are needed. */
  readonly keys?: (() => readonly KeyRecord[]) | undefined
  /** Absent where nothing can be written. */
  readonly writes?: Writes | undefined
  /** Absent without `--analytics`. */
  readonly analytics?: Analytics | undefined
  readonly log: Log
  /** A worker that has not ended after this is killed. */
  readonly stopGraceMs: number
}

export interface Primary {
  readonly port: number
  /**
   * Workers reload one after the other, so that most of them serve at full speed meanwhile; rejects at
   * the first that cannot, and the rest keep what they have.
   */
  reload(): Promise<void>
  /** Every worker searches what is pending. */
  showPending(): void
  /** Every worker has these keys from then on, whatever else it is doing. */
  sendKeys(keys: readonly KeyRecord[]): void
  /** Resolves when every worker has ended. */
  stop(): Promise<void>
}

/** Resolves when all workers serve; rejects when one of them dies before it does. @throws ListenError */
export async function startPrimary(options: PrimaryOptions): Promise<Primary> {
  const { workers, log, stopGraceMs } = options
  let hasStopped = false
  const isStopping = () => hasStopped
  const own = createProcessReport('primary')
  const metrics = createMergedMetrics(own)
  const deaths = new Counter({
    name: 'synoptic_worker_deaths_total',
    help: 'Workers that ended although nobody stopped them.',
    registers: [own.registry],
  })
  const sharedPort = await sharePort(options.host, options.port)
  // Pipes carry their output: lines of the log, which this process writes, and what else they print.
  cluster.setupPrimary({ silent: true })
  setMaxListeners(0, process.stderr)

  /**
   * Workers that have sent `ready`. A message to any other is lost: node:cluster reads messages in a worker
   * from the start, so Node keeps none for a listener that comes later.
   */
  const serving = new WeakSet<Worker>()
  const fork = () => {
    const worker = forkWorker(options, sharedPort.environment)
    // A worker that could not be forked, for want of file descriptors perhaps, has no channel.
    if (worker.process.pid === undefined) return worker
    metrics.add(worker)
    worker.on('message', ({ kind }: WorkerMessage) => {
      if (kind === 'ready') serving.add(worker)
    })
    return worker
  }
  const stop = async () => {
    hasStopped = true
    const stopping = allWorkers().map((worker) => {
      return stopWorker(worker, serving.has(worker), stopGraceMs)
    })
    await Promise.all(stopping)
  }
  const reloadAll = async () => {
    for (const worker of allWorkers()) {
      // A worker that is starting may have opened already what it will serve; keepAlive handles one that ends.
      if (!serving.has(worker)) await waitForReady(worker).catch(() => undefined)
      await reloadWorker(worker)
    }
  }
  let reloading = Promise.resolve()
  async function keepAlive(worker: Worker): Promise<void> {
    const backOff = createBackOff()
    for (let current = worker; ;) {
      await waitForEnd(current)
      if (isStopping()) return
      const { pid, exitCode, signalCode } = current.process
      const diedMs = performance.now()
      log.logger.error(
        { worker: pid, status: exitCode, signal: signalCode },
        'a worker died; starting another',
      )
      deaths.inc()
      backOff.failed()
      await delay(backOff.waitMs())
      if (isStopping()) return
      const next = fork()
      current = next
      // The next round waits for one that ends before it serves.
      void waitForReady(next).then(
        () => {
          backOff.worked()
          const afterMs = Math.round(performance.now() - diedMs)
          log.logger.info({ worker: next.process.pid, afterMs }, 'a worker replaced it')
        },
        () => undefined,
      )
    }
  }

  const first = Array.from({ length: workers }, fork)
  try {
    const [port = 0] = await Promise.all(first.map(waitForReady))
    for (const worker of first) void keepAlive(worker)
    return {
      port,
      reload() {
        // One after the other, so that each reload returns its own outcome.
        reloading = reloading.then(reloadAll, reloadAll)
        return reloading
      },
      showPending() {
        for (const worker of allWorkers()) sendTo(worker, { kind: 'pending' })
      },
      sendKeys(keys) {
        for (const worker of allWorkers()) sendTo(worker, { kind: 'keys', keys })
      },
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  } finally {
    sharedPort.release()
  }
}

const allWorkers = (): Worker[] =>
  Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)

function forkWorker(
  { rateStores, keys, writes, analytics, log }: PrimaryOptions,
  environment: Readonly<Record<string, string>>,
): Worker {
  const worker = cluster.fork(environment)
  worker.on('message', (message: WorkerMessage) => void count(worker, message, rateStores))
  worker.on('message', ({ kind }: WorkerMessage) => {
    if (kind === 'keys') sendTo(worker, { kind, keys: keys?.() ?? [] })
  })
  worker.on('message', (message: WorkerMessage) => {
    if (message.kind !== 'write' || writes === undefined) return
    const { id, request } = message
    void answerWrite(writes, request).then((reply) =>
      sendTo(worker, { kind: 'written', id, reply }),
    )
  })
  worker.on('message', (message: WorkerMessage) => {
    if (message.kind === 'searched') analytics?.searched(message.search)
    if (message.kind !== 'summary') return
    void analytics?.summary().then((summary) => sendTo(worker, { kind: 'summary', summary }))
  })
  // A message to a worker that has ended is lost; keepAlive notices the end.
  worker.on('error', () => undefined)
  const { stdout, stderr } = worker.process
  if (stdout) createInterface(stdout).on('line', (line) => log.writeLine(`${line}\n`))
  stderr?.pipe(process.stderr, { end: false })
  return worker
}

async function count(worker: Worker, message: WorkerMessage, stores: RateStores): Promise<void> {
  if (message.kind !== 'count') return
  const { group, client, batch } = message
  const store = stores.get(group)
  const counted = await (batch ? store?.take(client, batch) : store?.increment(client))
  if (counted !== undefined) sendTo(worker, countedMessage(message.id, counted))
}
