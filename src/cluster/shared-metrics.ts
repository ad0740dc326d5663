/** The metrics of several processes: whichever worker is asked, the primary collects and merges. */
import type { Worker } from 'node:cluster'
import { createReportMerger } from '../observability/merge.js'
import type { ProcessReport } from '../observability/process-report.js'
import type { PrimaryMessage, WorkerMessage } from './messages.js'

export interface MergedMetrics {
  /** Counts a worker in, from its first message to its end. */
  add(worker: Worker): void
}

/** A worker that is busy for longer is represented by its last report. */
const patienceMs = 1000

/** @param own the primary's */
export function createMergedMetrics(own: ProcessReport): MergedMetrics {
  const merger = createReportMerger()
  const workers = new Set<Worker>()

  async function text(): Promise<string> {
    const [report] = await Promise.all([own.report(), ...[...workers].map(askForReport)])
    return merger.text(report)
  }

  function askForReport(worker: Worker): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(finish, patienceMs)
      function finish(): void {
        worker.off('message', onMessage).off('exit', finish)
        clearTimeout(timer)
        resolve()
      }
      function onMessage({ kind }: WorkerMessage): void {
        if (kind === 'report') finish()
      }
      worker.on('message', onMessage).once('exit', finish)
      tell(worker, { kind: 'report' })
    })
  }

  return {
    add(worker) {
      worker.on('message', (message: WorkerMessage) => {
        workers.add(worker)
        if (message.kind === 'report') merger.put(worker.id, message.report)
        if (message.kind !== 'metrics') return
        void text().then((text) => tell(worker, { kind: 'metrics', text }))
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
  /** To be called with each message of the primary. */
  readonly receive: (message: PrimaryMessage) => void
}

/** The worker's side. @param own the worker's */
export function createWorkerMetrics(
  own: ProcessReport,
  send: (message: WorkerMessage) => void,
): WorkerMetrics {
  let asked: Promise<string> | undefined
  let answer: (text: string) => void = () => undefined
  return {
    text() {
      asked ??= new Promise((resolve) => {
        answer = resolve
        send({ kind: 'metrics' })
      })
      return asked
    },
    receive(message) {
      if (message.kind === 'report')
        void own.report().then((report) => send({ kind: 'report', report }))
      if (message.kind !== 'metrics') return
      asked = undefined
      answer(message.text)
    },
  }
}

function tell(worker: Worker, message: PrimaryMessage): void {
  if (worker.isConnected()) worker.send(message)
}
