/** A worker thread of lifecycle.test.ts: one answer, or searches that never end. */
import { parentPort, workerData } from 'node:worker_threads'
import { openCollection } from '#synoptic/native/index.js'

const { columns, query, batch, finish } = workerData
const collection = await openCollection({ columns })
const answer = await collection.search(query, 1, 3)
if (finish) {
  parentPort.postMessage(answer)
} else {
  for (let i = 0; i < 20; i++) void collection.search(batch, 400, 10)
  parentPort.postMessage('searching')
  parentPort.ref()
}
