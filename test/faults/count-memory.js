/** Loaded into a server before its own code, with --expose-gc: SIGUSR2 makes it print what it keeps, in bytes. */
import { setTimeout } from 'node:timers'

process.on('SIGUSR2', () => {
  globalThis.gc()
  // Callbacks free some memory, such as that of the addon's objects, in a later turn.
  setTimeout(() => {
    globalThis.gc()
    const { heapUsed, external, rss } = process.memoryUsage()
    process.stderr.write(`keeps ${heapUsed + external} alive, ${rss} resident\n`)
  })
})
