/** Loaded into a server before its own code, with --expose-gc: SIGUSR2 makes it tell what it keeps, in bytes. */
import { setTimeout } from 'node:timers'

process.on('SIGUSR2', () => {
  globalThis.gc()
  // What is freed by callbacks, those of the addon's objects among them, is so a turn later.
  setTimeout(() => {
    globalThis.gc()
    const { heapUsed, external, rss } = process.memoryUsage()
    process.stderr.write(`keeps ${heapUsed + external} alive, ${rss} resident\n`)
  })
})
