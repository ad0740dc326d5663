/**
 * The primary of several processes: it forks the workers, starts again those that die, holds what they
 * share (the rate limit's buckets and the log file) and stops them together. It serves nothing itself.
 */
import cluster, { type Worker } from 'node:cluster'
import { once, setMaxListeners } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { Counter } from 'prom-client'
import { createBackOff } from '../util/back-off.js'
import type { RateStores } from '../http/middleware/rate-limit.js'
import type { Log } from '../observability/log.js'
import { createProcessReport } from '../observability/process-report.js'
import { createHandover } from './handover.js'
import { createMergedMetrics } from './shared-metrics.js'
import { tokenOf, type PrimaryMessage, type WorkerMessage } from './messages.js'

export interface PrimaryOptions {
  readonly workers: number
  readonly buckets: RateStores
  readonly log: Log
  /** What workers are given beyond this before they are killed. */
  readonly stopGraceMs: number
}

export interface Primary {
  readonly port: number
  /**
   * Workers reload one after the other, so that most of them serve at full speed meanwhile; rejects at
   * the first that cannot, and the rest keep what they have.
   */
  reload(): Promise<void>
  /** Resolves when every worker is gone. */
  stop(): Promise<void>
}

/** Resolves when all workers serve; rejects when one of them dies before it does. */
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
  // Their output comes through pipes: lines of the log, which this process writes, and what they say beside it.
  cluster.setupPrimary({ silent: true })
  setMaxListeners(0, process.stderr)

  const handover = createHandover()
  /**
   * Those that have said so. What is sent to one before it listens is lost: node:cluster listens in it from
   * the start, and so nothing is kept for those who do later.
   */
  const serving = new WeakSet<Worker>()
  const fork = () => {
    const worker = forkWorker(options)
    // One that could not be forked, say for want of file descriptors, has no channel.
    if (worker.process.pid === undefined) return worker
    handover.watch(worker)
    metrics.add(worker)
    worker.on('message', ({ kind }: WorkerMessage) => {
      if (kind === 'ready') serving.add(worker)
    })
    return worker
  }
  const stop = async () => {
    hasStopped = true
    await Promise.all(
      allWorkers().map((worker) => stopWorker(worker, serving.has(worker), stopGraceMs)),
    )
  }
  const reloadAll = async () => {
    for (const worker of allWorkers()) {
      // One that starts may have opened already what it will serve. One that ends instead is seen to elsewhere.
      if (!serving.has(worker)) await ready(worker).catch(() => undefined)
      await reloadWorker(worker)
    }
  }
  let reloading = Promise.resolve()
  async function keepAlive(worker: Worker): Promise<void> {
    const backOff = createBackOff()
    for (let current = worker; ;) {
      await ended(current)
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
      // One that ends before it serves is waited for above.
      void ready(next).then(
        () => {
          backOff.worked()
          const afterMs = Math.round(performance.now() - diedMs)
          log.logger.info({ worker: next.process.pid, afterMs }, 'a worker took its place')
        },
        () => undefined,
      )
    }
  }

  const first = Array.from({ length: workers }, fork)
  try {
    const [port = 0] = await Promise.all(first.map(ready))
    for (const worker of first) void keepAlive(worker)
    return {
      port,
      reload() {
        // One after the other, so that each is told of its own end.
        reloading = reloading.then(reloadAll, reloadAll)
        return reloading
      },
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

const allWorkers = (): Worker[] =>
  Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)

function forkWorker({ buckets, log }: PrimaryOptions): Worker {
  const worker = cluster.fork()
  worker.on('message', (message: WorkerMessage) => void serve(worker, message, buckets))
  // A worker that is gone cannot be told anything; its exit is seen elsewhere.
  worker.on('error', () => undefined)
  const { stdout, stderr } = worker.process
  if (stdout) createInterface(stdout).on('line', (line) => log.writeLine(`${line}\n`))
  stderr?.pipe(process.stderr, { end: false })
  return worker
}

async function serve(worker: Worker, message: WorkerMessage, buckets: RateStores): Promise<void> {
  if (message.kind !== 'take') return
  const info = await buckets.get(message.group)?.increment(message.client)
  if (info !== undefined && worker.isConnected()) worker.send(tokenOf(message.id, info))
}

/** The port that the worker serves. */
async function ready(worker: Worker): Promise<number> {
  return new Promise((resolve, reject) => {
    worker.on('message', (message: WorkerMessage) => {
      if (message.kind === 'ready') resolve(message.port)
    })
    void ended(worker).then(() => {
      const { exitCode, signalCode } = worker.process
      const status = signalCode ?? `status ${exitCode}`
      reject(new Error(`a worker ended before it could serve (${status}); its message is above`))
    })
  })
}

/**
 * Resolves when the worker is gone, which it may be already. A message that could not be sent to it is an
 * `error` and not its end; one that could not even be forked tells an `error` alone.
 */
function ended(worker: Worker): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (worker.isDead()) resolve()
    }
    look()
    worker.once('exit', () => resolve()).on('error', look)
  })
}

/** A worker that dies meanwhile, or is dead already, is started again with what is on disk then. */
async function reloadWorker(worker: Worker): Promise<void> {
  // Its channel may outlive it for a moment, and then nobody would be left to answer.
  if (worker.isDead() || !worker.isConnected()) return
  const answered = new Promise<string | undefined>((resolve) => {
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
  const reload: PrimaryMessage = { kind: 'reload' }
  worker.send(reload)
  const problem = await answered
  if (problem !== undefined) throw new Error(problem)
}

/** @param isServing one that does not, yet, has no request to finish and may not listen */
async function stopWorker(worker: Worker, isServing: boolean, graceMs: number): Promise<void> {
  if (worker.isDead()) return
  const gone = ended(worker)
  const stop: PrimaryMessage = { kind: 'stop' }
  if (!isServing) worker.process.kill('SIGTERM')
  else if (worker.isConnected()) worker.send(stop)
  const kill = setTimeout(() => worker.process.kill('SIGKILL'), graceMs)
  await gone
  clearTimeout(kill)
  // The last lines of its log may come after its end.
  const { stdout } = worker.process
  if (stdout?.closed === false) await once(stdout, 'close')
}
