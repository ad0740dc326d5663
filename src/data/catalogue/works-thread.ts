/**
 * The works of a dataset indexed by a thread, for callers that do not wait for promises: they block until it answers. The
 * thread counts what it has done and sent in shared memory, on which this one sleeps.
 */
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads'
import type { RowIndexSection } from '../rows/build-row-index.js'
import type { CatalogueRow } from './catalogue-row.js'
import { packEntry, type PackedEntry } from './packed-entry.js'
import {
  counters,
  type FromWorksWorker,
  type ToWorksWorker,
  type WorksWorkerStart,
} from './works-messages.js'

export interface WorksThread {
  add(entry: CatalogueRow, packed: PackedEntry | undefined, prose: string | undefined): void
  /** All rows are added: the thread builds its part from then on. */
  finish(): void
  /** After `finish`. */
  sections(): Generator<RowIndexSection>
  /** Ends the thread. Idempotent. */
  close(): void
}

const batchRows = 64
/** Batches that wait, of some hundred kilobytes each. */
const maxWaiting = 16
/** Loading the thread takes a fraction of a second. */
const startTimeoutMs = 60_000
/** It never gets there: the system ends the process first, where another limit would end the thread without a word. */
const heapMegabytes = 2 ** 17

export function startWorksThread(): WorksThread {
  const { port1, port2 } = new MessageChannel()
  const counts = new Int32Array(new SharedArrayBuffer(4 * Object.keys(counters).length))
  const workerData: WorksWorkerStart = { port: port2, counts }
  const worker = new Worker(new URL('./works-worker.js', import.meta.url), {
    workerData,
    transferList: [port2],
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
    name: 'works of an index',
  })
  // An error ends it before it can count, which the time limit of its start shows.
  worker.on('error', () => undefined)
  worker.unref()
  port1.unref()
  let batch: ToWorksWorker & { kind: 'rows' } = {
    kind: 'rows',
    values: [],
    popularity: [],
    prose: [],
  }
  let posted = 0
  let received = 0
  const post = (message: ToWorksWorker) => port1.postMessage(message)

  function postBatch(): void {
    post(batch)
    posted += 1
    batch = { kind: 'rows', values: [], popularity: [], prose: [] }
    for (;;) {
      const done = Atomics.load(counts, counters.batchesDone)
      if (posted - done < maxWaiting) return
      waitFor(counters.batchesDone, done)
    }
  }

  /** Waits until a counter is another. */
  function waitFor(counter: number, value: number): void {
    if (Atomics.load(counts, counters.started) === 0) {
      const outcome = Atomics.wait(counts, counters.started, 0, startTimeoutMs)
      if (outcome === 'timed-out') throw new Error('the thread that indexes works has not started')
    }
    Atomics.wait(counts, counter, value)
  }

  function receive(): FromWorksWorker {
    for (;;) {
      const arrived: { readonly message: FromWorksWorker } | undefined = receiveMessageOnPort(port1)
      if (arrived === undefined) {
        waitFor(counters.messagesSent, received)
        continue
      }
      received += 1
      const { message } = arrived
      if (message.kind === 'failed') throw message.error
      return message
    }
  }

  return {
    add(entry, packed = packEntry(entry), prose) {
      batch.values.push(packed.values)
      batch.popularity.push(entry.popularity ?? null)
      batch.prose.push(prose)
      if (batch.values.length === batchRows) postBatch()
    },
    finish() {
      postBatch()
      post({ kind: 'build' })
    },
    *sections() {
      for (let message = receive(); message.kind === 'section'; message = receive()) yield message
    },
    close() {
      port1.close()
      void worker.terminate()
    },
  }
}
