/**
 * Loaded into a server before its own code: SIGUSR2 sends its encoder threads what they cannot read, an
 * error that nobody catches, and the first STARVED of them have so little memory that V8 ends them.
 * `terminate()` would not do: a thread that it meets in ONNX Runtime's addon takes the process along,
 * for that is compiled without NODE_API_SWALLOW_UNTHROWABLE_EXCEPTIONS.
 */
import { createRequire, syncBuiltinESMExports } from 'node:module'

const threads = createRequire(import.meta.url)('node:worker_threads')
const running = new Set()
let starved = Number(process.env.STARVED ?? 0)

threads.Worker = class extends threads.Worker {
  constructor(script, options) {
    starved -= 1
    const resourceLimits = starved < 0 ? {} : { maxOldGenerationSizeMb: 3 }
    super(script, { ...options, resourceLimits })
    running.add(this)
    this.once('exit', () => running.delete(this))
  }
}
syncBuiltinESMExports()
process.on('SIGUSR2', () => {
  for (const worker of running) worker.postMessage(undefined)
})
