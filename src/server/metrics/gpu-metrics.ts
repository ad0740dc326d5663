/** What the CUDA device holds and has done, for Prometheus; nothing where none is used. */
import { Counter, Gauge, type Registry } from 'prom-client'
import { gpuStats } from '../../native/addon/index.js'

/** Returns a function that brings the metrics up to date. */
export function createGpuMetrics(registry: Registry, worker: string): () => void {
  const registers = [registry]
  const labelNames = ['worker', 'device', 'kind'] as const
  const bytes = new Gauge({
    name: 'synoptic_gpu_bytes',
    help: 'Device memory: used now, the maximum so far, and the limit.',
    labelNames,
    registers,
  })
  const counter = <Label extends string>(name: string, help: string, label: Label) =>
    new Counter({ name, help, labelNames: ['device', label], registers })
  const searches = counter('synoptic_gpu_searches_total', 'Searches by where they ran.', 'by')
  const fallbacks = counter(
    'synoptic_gpu_fallbacks_total',
    'Searches that the processor took over from the device, by the code of the error.',
    'code',
  )
  const evictions = counter(
    'synoptic_gpu_evictions_total',
    'Layouts of columns that were removed from device memory to make room.',
    'of',
  )
  return () => {
    const stats = gpuStats()
    if (stats === undefined) return
    const { device } = stats
    bytes.set({ worker, device, kind: 'used' }, stats.usedBytes)
    bytes.set({ worker, device, kind: 'peak' }, stats.peakBytes)
    bytes.set({ worker, device, kind: 'limit' }, stats.limitBytes)
    // The native counts are totals already.
    for (const total of [searches, fallbacks, evictions]) total.reset()
    const fallbackCounts = Object.entries(stats.fallbacks)
    for (const [code, count] of fallbackCounts) fallbacks.inc({ device, code }, count)
    searches.inc({ device, by: 'device' }, stats.searches)
    const byProcessor = fallbackCounts.reduce((sum, [, count]) => sum + count, 0)
    searches.inc({ device, by: 'processor' }, byProcessor)
    evictions.inc({ device, of: 'forms' }, stats.evictions)
  }
}
