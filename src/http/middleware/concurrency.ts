import { OverloadedError } from '../../errors/overloaded-error.js'
import type { AppMiddleware } from '../env.js'

/** Refuses what comes while `limit` requests are being answered. Idle connections do not count. */
export function concurrency(limit: number): AppMiddleware {
  let active = 0
  return async function concurrency(_, next) {
    if (active >= limit) throw new OverloadedError()
    active += 1
    try {
      await next()
    } finally {
      active -= 1
    }
  }
}
