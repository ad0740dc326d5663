/** The metrics of several processes: the primary collects and merges them for the worker that a client reaches. */
import type { Worker } from 'node:cluster'
import { createReportMerger } from '../metrics/merge.js'
import type { ProcessReport } from '../metrics/process-report.js'
import type { PrimaryMessage, WorkerMessage } from './messages.js'
import { sendTo } from './worker-process.js'

export interface MergedMetrics {
  /** Merges a worker's metrics from its first message on; its counts stay after its end. */
  add(worker: Worker): void
}

/** The last report of a worker is used if it is busy for longer. */
const reportTimeoutMs = 1000

/** @param own the primary's */
export function createMergedMetrics(own: ProcessReport): MergedMetrics {
  const merger = createReportMerger()
  const workers = new Set<Worker>()

  async function text(): Promise<string> {
    const [report] = await Promise.all([own.report(), ...[...workers].map(requestReport)])
    return merger.text(report)
  }

  function requestReport(worker: Worker): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(finish, reportTimeoutMs)
      function finish(): void {
        worker.off('message', onMessage).off('exit', finish)
        clearTimeout(timer)
        resolve()
      }
      function onMessage({ kind }: WorkerMessage): void {
        if (kind === 'report') finish()
      }
      worker.on('message', onMessage).once('exit', finish)
      sendTo(worker, { kind: 'report' })
    })
  }

  return {
    add(worker) {
      worker.on('message', (message: WorkerMessage) => {
        workers.add(worker)
        if (message.kind === 'report') merger.put(worker.id, message.report)
        if (message.kind !== 'metrics') return
        void text().then((text) => sendTo(worker, { kind: 'metrics', text }))
      })
      worker.once('exit', () => {
        workers.delete(worker)
        merger.retire(worker.id)
      })
    },
  }
}

export interface WorkerMetrics {
  /** Of all processes together. */
  text(): Promise<string>
  /** Takes each message of the primary. */
  readonly receive: (message: PrimaryMessage) => void
}

/** The worker's side. @param own the worker's */
export function createWorkerMetrics(
  own: ProcessReport,
  send: (message: WorkerMessage) => void,
): WorkerMetrics {
  let request: Promise<string> | undefined
  let settle: (text: string) => void = () => undefined
  return {
    text() {
      request ??= new Promise((resolve) => {
        settle = resolve
        send({ kind: 'metrics' })
      })
      return request
    },
    receive(message) {
      if (message.kind === 'report')
        void own.report().then((report) => send({ kind: 'report', report }))
      if (message.kind !== 'metrics') return
      request = undefined
      settle(message.text)
    },
  }
}
