/**
 * Counts what the collector frees in a process that loads it: SIGUSR2 begins, the next one writes the bytes since to
 * garbage.json in the working directory. What arrays hold outside of V8's heap is freed later and does not count.
 */
import { renameSync, writeFileSync } from 'node:fs'
import { GCProfiler } from 'node:v8'

let profiler: GCProfiler | undefined

process.on('SIGUSR2', () => {
  if (profiler === undefined) {
    profiler = new GCProfiler()
    profiler.start()
    return
  }
  const { statistics } = profiler.stop()
  profiler = undefined
  const freed = statistics.map(({ beforeGC, afterGC }) =>
    Math.max(0, beforeGC.heapStatistics.usedHeapSize - afterGC.heapStatistics.usedHeapSize),
  )
  const report = { bytes: freed.reduce((sum, bytes) => sum + bytes, 0) }
  writeFileSync('garbage.json.new', JSON.stringify(report))
  renameSync('garbage.json.new', 'garbage.json')
})
