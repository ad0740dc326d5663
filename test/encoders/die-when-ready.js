/**
 * Loaded into a process and its threads before their own code: the first two encoder threads end as
 * soon as they are ready; the process gets both messages in one turn.
 */
import { createRequire, syncBuiltinESMExports } from 'node:module'

const threads = createRequire(import.meta.url)('node:worker_threads')

if (threads.isMainThread) {
  let deaths = 2
  threads.Worker = class extends threads.Worker {
    constructor(script, options) {
      if (deaths === 0) super(script, options)
      else {
        deaths -= 1
        const gone = new Int32Array(new SharedArrayBuffer(4))
        const execArgv = ['--import', import.meta.url]
        super(script, { ...options, execArgv, workerData: { ...options.workerData, gone } })
        Atomics.wait(gone, 0, 0)
        // Its end is reported a moment after its last message.
        Atomics.wait(gone, 0, 1, 100)
      }
    }
  }
  syncBuiltinESMExports()
} else {
  const { parentPort, workerData } = threads
  const post = parentPort.postMessage.bind(parentPort)
  parentPort.postMessage = (message, ...more) => {
    post(message, ...more)
    if (message.kind !== 'ready') return
    process.once('exit', () => {
      Atomics.store(workerData.gone, 0, 1)
      Atomics.notify(workerData.gone, 0)
    })
    process.exit(1)
  }
}
