/** The thread that indexes the works of a dataset: see works-thread.ts. */
import { workerData } from 'node:worker_threads'
import { piecesOf } from '../rows/build-row-index.js'
import { unpackEntry } from './packed-entry.js'
import { createWorksIndexBuilder } from './works-index.js'
import {
  counters,
  type FromWorksWorker,
  type ToWorksWorker,
  type WorksWorkerStart,
} from './works-messages.js'

const { port, counts } = workerData as WorksWorkerStart
const builder = createWorksIndexBuilder()
const count = (counter: number) => {
  Atomics.add(counts, counter, 1)
  Atomics.notify(counts, counter)
}
const send = (message: FromWorksWorker, transfer: readonly ArrayBuffer[] = []) => {
  port.postMessage(message, transfer)
  count(counters.messagesSent)
}
const attempt = (action: () => void) => {
  try {
    action()
  } catch (error) {
    send({ kind: 'failed', error })
  }
}
const build = () => {
  for (const section of builder.sections()) {
    const { name } = section
    const pieces = piecesOf(section)
    send({ kind: 'section', name, pieces }, name === 'titles' ? pieces.map(bufferOf) : [])
  }
  send({ kind: 'end' })
}
port.on('message', (message: ToWorksWorker) =>
  attempt(() => {
    if (message.kind === 'build') build()
    else {
      const { values, popularity, prose } = message
      values.forEach((packed, at) => {
        builder.add({ ...unpackEntry(packed), popularity: popularity[at] ?? null }, prose[at])
      })
      count(counters.batchesDone)
    }
  }),
)
count(counters.started)

const bufferOf = ({ buffer }: Uint8Array) => buffer as ArrayBuffer
