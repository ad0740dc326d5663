/** Counts the texts of a batch, once its body is read, where its request was counted. */
import type { RateLimitedError } from '../../../base/errors/index.js'
import type { AppContext } from '../env.js'
import type { RateStore } from './rate-window.js'

/** Counts the texts but the first, which the request was counted for. Rejects with a RateLimitedError. */
export type Charge = (c: AppContext, size: number) => Promise<void>

export interface ChargeOptions {
  readonly store: RateStore
  readonly windowMs: number
  readonly limitOf: (c: AppContext) => number
  readonly clientOf: (c: AppContext) => string
  readonly refusalOf: (c: AppContext) => RateLimitedError
}

export function createCharge(options: ChargeOptions): Charge {
  const { store, windowMs, limitOf, clientOf, refusalOf } = options
  return async (c, size) => {
    if (size <= 1 || c.get('rateLimit') === undefined) return
    const limit = limitOf(c)
    const cost = size - 1
    const { totalHits, resetTime, isTaken } = await store.take(clientOf(c), { cost, limit })
    const remaining = Math.max(0, limit - totalHits + (isTaken ? 0 : cost))
    const resetSeconds = secondsUntil(resetTime, windowMs)
    c.header('RateLimit', `limit=${limit}, remaining=${remaining}, reset=${resetSeconds}`)
    if (isTaken) return
    c.header('Retry-After', String(resetSeconds))
    throw refusalOf(c)
  }
}

const secondsUntil = (time: Date | undefined, windowMs: number): number =>
  Math.max(0, Math.ceil((time === undefined ? windowMs : time.getTime() - Date.now()) / 1000))
