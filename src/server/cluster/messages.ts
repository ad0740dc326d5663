/** Every message between the primary process and its workers. */
import type { ClientRateLimitInfo } from 'hono-rate-limiter'
import type { BatchCost, Counted, TakenBatch } from '../http/limits/rate-window.js'
import type { KeyRecord } from '../../base/keys/key-record.js'
import type { Report } from '../metrics/process-report.js'
import type { WriteOperation } from '../../data/writes/operation.js'
import type { SearchSummary } from '../schemas/search-summary.js'
import type { Task } from '../schemas/writes.js'
import type { Search } from '../analytics/analytics.js'

export type WriteRequest =
  | { readonly operation: WriteOperation; readonly isKnown: boolean | undefined }
  | { readonly task: number }
  | 'tasks'

/** An error crosses between the processes by its name. */
export type WriteReply =
  | { readonly tasks: readonly Task[] }
  | { readonly error: { readonly name: string; readonly message: string } }

export type WorkerMessage =
  /** The worker serves. */
  | { readonly kind: 'ready'; readonly port: number }
  /** Counts a request of a client for the rate limit; the reply is `counted` with the same id. */
  | {
      readonly kind: 'count'
      readonly id: number
      readonly group: Counted
      readonly client: string
      /** The cost of a batch, in addition to its request. */
      readonly batch?: BatchCost
    }
  /** Which keys are there? The reply is `keys`. */
  | { readonly kind: 'keys' }
  /** The worker's metrics, the reply to `report`. */
  | { readonly kind: 'report'; readonly report: Report }
  /** A client requests the metrics of all processes; the reply is `metrics`. */
  | { readonly kind: 'metrics' }
  /** A client's write, or its request for tasks; the reply is `written` with the same id. */
  | { readonly kind: 'write'; readonly id: number; readonly request: WriteRequest }
  /** A client has searched, with `--analytics`. */
  | { readonly kind: 'searched'; readonly search: Search }
  /** A client requests what was searched; the reply is `summary`. */
  | { readonly kind: 'summary' }
  /** The worker has reloaded; with a problem, it serves as before. */
  | { readonly kind: 'reloaded'; readonly problem?: string }

export type PrimaryMessage =
  | {
      readonly kind: 'counted'
      readonly id: number
      readonly totalHits: number
      /** Milliseconds since 1970. */
      readonly resetTime: number
      /** Of a batch: whether it is counted. */
      readonly isTaken?: boolean | undefined
    }
  /** Requests the worker's metrics; the reply is `report`. */
  | { readonly kind: 'report' }
  /** Of all processes, in the text format of Prometheus. */
  | { readonly kind: 'metrics'; readonly text: string }
  /** Serve what is on disk now; the reply is `reloaded`. */
  | { readonly kind: 'reload' }
  /** Writes have changed what is pending: search it from now on. No reply. */
  | { readonly kind: 'pending' }
  /** The keys from now on: the reply to `keys`, and after a reload. */
  | { readonly kind: 'keys'; readonly keys: readonly KeyRecord[] }
  /** The reply to `write`: what was requested, or why not. */
  | { readonly kind: 'written'; readonly id: number; readonly reply: WriteReply }
  /** What was searched, of all processes. */
  | { readonly kind: 'summary'; readonly summary: SearchSummary }
  /** Let requests finish, then exit. */
  | { readonly kind: 'stop' }

/** The count of a client as it crosses between the processes. */
export const countedMessage = (
  id: number,
  { totalHits, resetTime, isTaken }: ClientRateLimitInfo & Partial<TakenBatch>,
): PrimaryMessage => ({
  kind: 'counted',
  id,
  totalHits,
  isTaken,
  resetTime: resetTime?.getTime() ?? 0,
})
