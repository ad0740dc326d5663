/**
 * Searches with a CUDA device in a process of its own, because the library is loaded once: sets the device
 * up as a server does, searches, releases, and prints what came of it.
 */
import { setTimeout } from 'node:timers/promises'
import pino from 'pino'
import { useGpu } from '#synoptic/server/serve/choose-gpu.js'
import { textOf } from '#synoptic/server/metrics/merge.js'
import { createMetrics } from '#synoptic/server/metrics/metrics.js'
import { gpuStats, openCollection } from '#synoptic/native/addon/index.js'

const { path, dimension, limit, searches, wanted } = JSON.parse(process.argv[2])
const log = []
const logger = pino({ level: 'debug' }, { write: (line) => log.push(JSON.parse(line)) })
const gpu = useGpu({ gpuMemoryLimit: limit, workers: 1, device: wanted }, logger)
const metrics = createMetrics('1')
const collection = await openCollection({ columns: [{ name: 'only', path }] })
const results = []
for (let search = 0; search < searches; search++) {
  const query = Float32Array.from({ length: dimension }, (_, i) => Math.sin(i + search))
  const { rows, scores, device } = await collection.search(query, 1, 10)
  results.push({ device, rows: [...rows], scores: [...scores] })
}
const { scannedBytes } = collection.stats()
const text = await textOf(metrics)
const released = gpu.closeIdle(0)
// The lanes' threads give back what is theirs.
while ((gpuStats()?.usedBytes ?? 0) > 0) await setTimeout(2)
gpu.stop()
console.log(JSON.stringify({ results, text, released, log, lost: gpuStats()?.lost, scannedBytes }))
