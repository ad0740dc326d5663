/** What `--rate-limit` and `--rate-burst` mean: so many requests of a client in a window of so many milliseconds. */
import type { ClientRateLimitInfo, Store } from 'hono-rate-limiter'
import type { RouteGroup } from '../../../base/config/route-groups.js'
import type { ServerSettings } from '../../../base/config/settings.js'
import type { AppEnv } from '../env.js'

/** What a batch costs in addition to its request, in a window that holds so many. */
export interface BatchCost {
  readonly cost: number
  readonly limit: number
}

/** What the window holds with a batch, counted or not. */
export interface TakenBatch extends ClientRateLimitInfo {
  readonly isTaken: boolean
}

/** Counts the requests of each client in windows; the interface is hono-rate-limiter's, and batches. */
export interface RateStore extends Store<AppEnv> {
  /**
   * Counts the cost where the window has room for it, and else nothing. A batch that is larger than any window is
   * counted where the client has sent nothing else: its window then lasts as long as so many requests take.
   */
  take(client: string, batch: BatchCost): TakenBatch | Promise<TakenBatch>
}

/** What has a count of its own: a group of routes, or the keys that have limits. */
export type Counted = RouteGroup | 'keys'

/** A store for each group of routes that has a limit, and one for keys where there are any. */
export type RateStores = ReadonlyMap<Counted, RateStore>

export interface RateWindow {
  /** Requests of one client in one window. */
  readonly limit: number
  readonly windowMs: number
}

export type RateSettings = Pick<ServerSettings, 'rateLimit' | 'rateBurst'>

/** The groups of routes that have a limit, each with its rate and its window. */
export function limitedGroups({ rateLimit, rateBurst }: RateSettings) {
  const rates = Object.entries(rateLimit) as [RouteGroup, number][]
  return rates
    .filter(([, perSecond]) => perSecond > 0)
    .map(([group, perSecond]) => ({ group, perSecond, ...windowOf(perSecond, rateBurst) }))
}

/** What is counted, each with its window. */
export function countedWindows(
  settings: RateSettings & Pick<ServerSettings, 'apiKeys'>,
): readonly { readonly group: Counted; readonly windowMs: number }[] {
  const keys = { group: 'keys', windowMs: keyWindowMs } as const
  return [...limitedGroups(settings), ...(settings.apiKeys === 'none' ? [] : [keys])]
}

/** Of the limits that keys have of their own, which are requests per minute. */
export const keyWindowMs = 60_000

/** The shortest window is a millisecond, the unit in which Redis counts time; a higher rate has a higher limit. */
export function windowOf(perSecond: number, burst: number): RateWindow {
  const limit = Math.max(burst, Math.ceil(perSecond / 1000))
  return { limit, windowMs: (1000 * limit) / perSecond }
}
