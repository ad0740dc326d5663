/** The analytics of a worker: the primary counts and writes, so that one process rotates the file. */
import type { Analytics } from '../analytics/analytics.js'
import type { SearchSummary } from '../schemas/search-summary.js'
import type { PrimaryMessage, WorkerMessage } from './messages.js'

export interface SharedAnalytics extends Analytics {
  /** Takes each message of the primary. */
  readonly receive: (message: PrimaryMessage) => void
}

export function createSharedAnalytics(send: (message: WorkerMessage) => void): SharedAnalytics {
  let request: Promise<SearchSummary> | undefined
  let settle: (summary: SearchSummary) => void = () => undefined
  return {
    searched: (search) => send({ kind: 'searched', search }),
    summary() {
      request ??= new Promise((resolve) => {
        settle = resolve
        send({ kind: 'summary' })
      })
      return request
    },
    receive(message) {
      if (message.kind !== 'summary') return
      request = undefined
      settle(message.summary)
    },
  }
}
