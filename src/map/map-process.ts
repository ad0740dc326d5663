/** A process of its own that makes maps at a low priority: `node map-process.js JSON`. It ends with its parent. */
import { constants, setPriority } from 'node:os'
import { openCatalogue } from '../catalogue/open-catalogue.js'
import { buildMap } from './build-map.js'
import type { MapWork } from './background-maps.js'

// Before the addon starts its threads, which inherit it.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
process.env.SYNOPTIC_SCAN_THREADS = '1'
const stop = new AbortController()
// Temporary files go with it.
process.on('disconnect', () => stop.abort(new Error('the server has ended')))
// A terminal sends it to all processes; the parent decides.
process.on('SIGINT', () => undefined)
process.on('SIGHUP', () => undefined)
// Node would open its inspector, by which anybody on the machine could run code.
process.on('SIGUSR1', () => undefined)

const { catalogue: file, location, wanted } = JSON.parse(process.argv[2] ?? '') as MapWork
const catalogue = openCatalogue(file)
try {
  for (const { dataset, model } of wanted) {
    const options = { catalogue, location, dataset, model, signal: stop.signal }
    const startMs = performance.now()
    const { works } = await buildMap(options)
    const ms = Math.round(performance.now() - startMs)
    process.send?.({ dataset, model, works, ms })
  }
} catch (error) {
  if (!stop.signal.aborted) {
    process.send?.({ problem: error instanceof Error ? error.message : String(error) })
    process.exitCode = 1
  }
} finally {
  catalogue.close()
  if (process.connected) process.disconnect()
}
