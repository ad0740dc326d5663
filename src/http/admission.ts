/**
 * Who is let in: as many requests at once as `--limit-concurrency`, and none that would not be answered
 * in the time it has. A request takes its place when its body is there, so that a client which sends
 * slowly takes none from others; it is refused before that, at the door, where it is already too late.
 */
import { OverloadedError } from '../errors/overloaded-error.js'
import { clientDeadlineMs } from './client-deadline.js'
import type { AppContext, AppMiddleware } from './env.js'
import { createServiceTime, type ServiceTime } from './service-time.js'

export interface Admission {
  /** Places that are taken now. */
  taken(): number
  /** Refuses before anything is read; says how long the request may take. */
  readonly door: AppMiddleware
  /** Runs the work of a request in a place of its own. Rejects with an OverloadedError where none is left. */
  work<T>(c: AppContext, task: () => Promise<T>): Promise<T>
}

export interface AdmissionOptions {
  readonly limit: number
  /** Longest time for a request, whatever it asks for itself. */
  readonly timeoutSeconds: number
  readonly now?: () => number
}

export function createAdmission({ limit, timeoutSeconds, now }: AdmissionOptions): Admission {
  const paces = new Map<string, ServiceTime>()
  let taken = 0

  function paceOf(c: AppContext): ServiceTime {
    const route = c.get('route') ?? ''
    const known = paces.get(route)
    if (known !== undefined) return known
    const pace = createServiceTime(now)
    paces.set(route, pace)
    return pace
  }

  function check(c: AppContext): void {
    if (taken >= limit) throw new OverloadedError()
    const [expectedMs, allowedMs] = [paceOf(c).nextMs(), c.get('allowedMs')]
    // What comes to an idle server is worth a try, whatever the last one took.
    if (taken > 0 && expectedMs > allowedMs) throw new OverloadedError({ expectedMs, allowedMs })
  }

  return {
    taken: () => taken,
    async door(c, next) {
      c.set('allowedMs', Math.min(timeoutSeconds * 1000, clientDeadlineMs(c) ?? Infinity))
      check(c)
      await next()
    },
    async work(c, task) {
      check(c)
      const pace = paceOf(c)
      taken += 1
      pace.began()
      try {
        const result = await task()
        pace.ended(true)
        return result
      } catch (error) {
        pace.ended(false)
        throw error
      } finally {
        taken -= 1
      }
    },
  }
}
