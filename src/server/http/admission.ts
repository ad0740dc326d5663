/**
 * Which requests are admitted: at most `--limit-concurrency` at once, at most half of them batches, and none
 * that would take longer than it may. A request takes a slot when its body has arrived, so a client that sends slowly holds no slot.
 * The middleware refuses earlier, before the body is read, where no slot is free.
 */
import { OverloadedError } from '../../base/errors/index.js'
import { clientDeadlineMs } from './client-deadline.js'
import type { AppContext, AppMiddleware } from './env.js'
import { allSlotsTaken } from './overload-response.js'
import { createServiceTime, type ServiceTime } from './service-time.js'

export interface Admission {
  /** Sets how long the request may take. Throws an OverloadedError where the request cannot be served in that time. */
  readonly admit: AppMiddleware
  /**
   * Runs the work of a request in a slot. Rejects with an OverloadedError where none is free.
   * @param size texts of a batch; each counts as a request in the service time; 1 if absent
   */
  work<T>(c: AppContext, task: () => Promise<T>, size?: number): Promise<T>
}

export interface AdmissionOptions {
  /** Slots. */
  readonly limit: number
  /** Longest time for a request; a client may ask for less. */
  readonly timeoutSeconds: number
  readonly now?: () => number
}

export function createAdmission({ limit, timeoutSeconds, now }: AdmissionOptions): Admission {
  const serviceTimes = new Map<string, ServiceTime>()
  let taken = 0
  let takenByBatches = 0
  const batchLimit = Math.ceil(limit / 2)

  /** Batches have a time of their own: single requests go between their texts and do not wait for all of them. */
  function serviceTimeOf(c: AppContext, size: number): ServiceTime {
    const route = `${c.get('route') ?? ''}${size > 1 ? ' in batches' : ''}`
    const existing = serviceTimes.get(route)
    if (existing !== undefined) return existing
    const serviceTime = createServiceTime(now)
    serviceTimes.set(route, serviceTime)
    return serviceTime
  }

  function check(c: AppContext, size = 1): void {
    if (taken >= limit || (size > 1 && takenByBatches >= batchLimit)) throw allSlotsTaken
    const [expectedMs, allowedMs] = [serviceTimeOf(c, size).nextMs(size), c.get('allowedMs')]
    // An idle server tries every request, even if the last one was slow.
    if (taken > 0 && expectedMs > allowedMs) throw new OverloadedError({ expectedMs, allowedMs })
  }

  return {
    async admit(c, next) {
      c.set('allowedMs', Math.min(timeoutSeconds * 1000, clientDeadlineMs(c) ?? Infinity))
      check(c)
      await next()
    },
    async work(c, task, size = 1) {
      check(c, size)
      const serviceTime = serviceTimeOf(c, size)
      const batch = size > 1 ? 1 : 0
      taken += 1
      takenByBatches += batch
      serviceTime.began(size)
      try {
        const result = await task()
        serviceTime.ended(true, size)
        return result
      } catch (error) {
        serviceTime.ended(false, size)
        throw error
      } finally {
        taken -= 1
        takenByBatches -= batch
      }
    },
  }
}
