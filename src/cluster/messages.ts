/** Every message between the primary process and its workers. */
import type { ClientRateLimitInfo } from 'hono-rate-limiter'
import type { RouteGroup } from '../config/route-groups.js'
import type { Report } from '../observability/process-report.js'

export type WorkerMessage =
  /** It serves. */
  | { readonly kind: 'ready'; readonly port: number }
  /** A client's request asks for a token; answered by `token` with the same id. */
  | {
      readonly kind: 'take'
      readonly id: number
      readonly group: RouteGroup
      readonly client: string
    }
  /** Its metrics, asked for by `report`. */
  | { readonly kind: 'report'; readonly report: Report }
  /** A client asks for the metrics of all; answered by `metrics`. */
  | { readonly kind: 'metrics' }
  /** It has reloaded, or serves on what it had because of a problem. */
  | { readonly kind: 'reloaded'; readonly problem?: string }

export type PrimaryMessage =
  | {
      readonly kind: 'token'
      readonly id: number
      readonly totalHits: number
      /** Milliseconds since 1970. */
      readonly resetTime: number
    }
  /** Say what you have counted; answered by `report`. */
  | { readonly kind: 'report' }
  /** Of all processes, in the text format of Prometheus. */
  | { readonly kind: 'metrics'; readonly text: string }
  /** Swap in what is on disk now; answered by `reloaded`. */
  | { readonly kind: 'reload' }
  /** Let requests finish, then exit. */
  | { readonly kind: 'stop' }

/** A token of the bucket as it crosses between the processes. */
export const tokenOf = (
  id: number,
  { totalHits, resetTime }: ClientRateLimitInfo,
): PrimaryMessage => ({ kind: 'token', id, totalHits, resetTime: resetTime?.getTime() ?? 0 })
