/**
 * Loaded into a server before its own code: SIGUSR2 sends its encoder threads what they cannot read, an
 * error that nobody catches. Where STARVED is set, all that start before it have so little memory that
 * V8 ends them. `terminate()` would not do: a thread that it meets in ONNX Runtime's addon takes the process along,
 * for that is compiled without NODE_API_SWALLOW_UNTHROWABLE_EXCEPTIONS.
 */
import { createRequire, syncBuiltinESMExports } from 'node:module'

const threads = createRequire(import.meta.url)('node:worker_threads')
const running = new Set()
let areStarved = process.env.STARVED !== undefined

threads.Worker = class extends threads.Worker {
  constructor(script, options) {
    const resourceLimits = areStarved ? { maxOldGenerationSizeMb: 3 } : {}
    super(script, { ...options, resourceLimits })
    running.add(this)
    this.once('exit', () => running.delete(this))
  }
}
syncBuiltinESMExports()
process.on('SIGUSR2', () => {
  areStarved = false
  for (const worker of running) worker.postMessage(undefined)
})
