/** Starts the process that makes writes searchable before they are merged, and ends it when there are none for a while. */
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { runInBackground } from '../../base/util/background-process.js'
import type { PendingReply, PendingRequest, PendingWork } from './pending-process.js'

export interface PendingBuilder {
  /** The journal has more writes. */
  add(): void
  /** A merge has made another catalogue, which is served once this resolves. */
  rebase(): Promise<void>
  /** The catalogue before it is not served any more. */
  retire(): Promise<void>
}

const program = fileURLToPath(new URL('pending-process.js', import.meta.url))

/** It has models in memory. */
const idleMs = 60_000

interface Running {
  readonly request: (request: PendingRequest) => Promise<void>
  /** Whether it adds writes now, and whether there are more by now. */
  isAdding: boolean
  hasMore: boolean
}

/** @param onChange called when searches can find more */
export function createPendingBuilder(
  work: PendingWork,
  logger: Logger,
  onChange: () => void,
  signal: AbortSignal,
): PendingBuilder {
  let running: Running | undefined

  function start(): Running {
    const waiting: (() => void)[] = []
    const ending = new AbortController()
    const idle = setTimeout(() => ending.abort(), idleMs).unref()
    let send: (message: string) => void = () => undefined
    const started: Running = {
      isAdding: false,
      hasMore: false,
      request(request) {
        idle.refresh()
        return new Promise((resolve) => {
          waiting.push(resolve)
          send(request)
        })
      },
    }
    const ended = runInBackground<PendingReply>({
      file: program,
      work,
      signal: AbortSignal.any([signal, ending.signal]),
      onStarted: (sender) => (send = sender),
      onMessage({ done, trouble }) {
        if (trouble !== undefined)
          logger.warn({ trouble }, 'some writes are not searchable before they are merged')
        if (done === 'add') onChange()
        waiting.shift()?.()
      },
      onProblem: (problem) =>
        logger.warn({ problem }, 'writes are not searchable before they are merged'),
    })
    void ended
      .catch(() => undefined)
      .then(() => {
        clearTimeout(idle)
        if (running === started) running = undefined
        for (const resolve of waiting) resolve()
      })
    return started
  }

  function add(): void {
    const started = (running ??= start())
    started.hasMore = started.isAdding
    if (started.isAdding) return
    started.isAdding = true
    void started.request('add').then(() => {
      started.isAdding = false
      if (started.hasMore && started === running) add()
    })
  }

  return {
    add,
    rebase: () => running?.request('rebase') ?? Promise.resolve(),
    retire: () => running?.request('retire') ?? Promise.resolve(),
  }
}
