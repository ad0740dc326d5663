/**
 * One line a second for all requests that a busy server refuses. A line each would push everything else
 * out of the log within minutes.
 */
import type { Logger } from 'pino'

export interface RefusalLog {
  /** One more request was refused. */
  count(): void
}

const intervalMs = 1000

export function createRefusalLog(logger: Pick<Logger, 'warn'>): RefusalLog {
  let refused = 0
  let timer: NodeJS.Timeout | undefined

  function report(): void {
    const line = { refused, status: 503, problem: 'overloaded' }
    logger.warn(line, 'the server is busy and refused requests')
    refused = 0
    timer = undefined
  }

  return {
    count() {
      refused += 1
      timer ??= setTimeout(report, intervalMs).unref()
    },
  }
}
