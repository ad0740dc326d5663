/**
 * Counts what the collector frees in a process that loads it: SIGUSR2 begins, the next one writes the bytes and the
 * collections since to garbage.json in the working directory, without what arrays hold outside of V8's heap apart.
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
  const freed = statistics.map(({ beforeGC, afterGC }) => {
    const [before, after] = [beforeGC.heapStatistics, afterGC.heapStatistics]
    return {
      heap: before.usedHeapSize - after.usedHeapSize,
      arrays: before.externalMemory - after.externalMemory,
    }
  })
  const sum = (of: (one: (typeof freed)[number]) => number) =>
    freed.reduce((total, one) => total + Math.max(0, of(one)), 0)
  const report = { heap: sum(({ heap }) => heap), arrays: sum(({ arrays }) => arrays) }
  writeFileSync('garbage.json.new', JSON.stringify(report))
  renameSync('garbage.json.new', 'garbage.json')
})
