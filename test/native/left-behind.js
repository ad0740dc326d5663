/** A worker thread of lifecycle.test.ts: begins what its end is to interrupt, and says so. */
import { parentPort, workerData } from 'node:worker_threads'
import { buildCodes } from '#synoptic/native/addon/index.js'
import { openMaxSim } from '#synoptic/native/addon/max-sim.js'

const { matrix, index, tokens, measures } = workerData
const native = await openMaxSim(index)
void buildCodes(matrix, { bits: 8 })
for (let i = 0; i < 100; i++) void native.score(tokens, measures)
parentPort.postMessage('begun')
