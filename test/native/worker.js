/**
 * A worker thread of lifecycle.test.ts: one result (`once`), batches that are never done with (`batches`),
 * or one query after the other (`for ever`).
 */
import { parentPort, workerData } from 'node:worker_threads'
import { openCollection } from '#synoptic/native/addon/index.js'

const { columns, query, batch, searches } = workerData
const collection = await openCollection({ columns })
const result = await collection.search(query, 1, 3)
if (searches === 'once') {
  parentPort.postMessage(result)
} else {
  parentPort.postMessage('searching')
  if (searches === 'batches') {
    for (let i = 0; i < 20; i++) void collection.search(batch, 400, 10)
    parentPort.ref()
  }
  while (searches === 'for ever') await collection.search(query, 1, 3)
}
