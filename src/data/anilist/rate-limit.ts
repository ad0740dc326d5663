/**
 * When the next request may go out. One pacer serves all requests of a client: when the quota is
 * used up (`X-RateLimit-Remaining: 0`) or exceeded (429), every request waits, not only the one
 * that found out.
 */
import type { Clock } from '../../base/util/clock.js'
import type { Logger } from './logger.js'

export interface Pacer {
  /**
   * Waits until the next request may go out. Answers false, at once, where that is later than
   * `deadlineAt`; rejects with the signal's reason when aborted.
   */
  waitForTurn(deadlineAt: number, signal?: AbortSignal): Promise<boolean>
  /** When the current wait ends, in epoch milliseconds. */
  turnAt(): number
  /** Takes the headers of every response, with its status. */
  observe(status: number, headers: Headers): void
}

/** The shortest wait after a 429, and the length of the service's quota window. */
const rateLimitFloorMs = 60_000

/** One wrong header, say milliseconds for seconds, must not silence the client for years. */
const longestWaitMs = 24 * 60 * 60 * 1000

export function createPacer(clock: Clock, logger: Logger): Pacer {
  let notBefore = 0

  function postpone(waitMs: number, reason: string): void {
    const until = clock.now() + waitMs
    if (waitMs <= 0 || until <= notBefore) return
    notBefore = until
    logger.warn({ waitMs }, `${reason}; the next request waits ${Math.ceil(waitMs / 1000)} s`)
  }

  return {
    async waitForTurn(deadlineAt, signal) {
      // The wait may grow while this call sleeps, so it is read again after each sleep.
      while (notBefore > clock.now()) {
        if (notBefore > deadlineAt) return false
        await clock.sleep(notBefore - clock.now(), signal)
      }
      return true
    },
    turnAt: () => notBefore,
    observe(status, headers) {
      const now = clock.now()
      if (status === 429) {
        postpone(rateLimitWaitMs(headers, now, logger), 'rate limit reached (429)')
      } else if (remainingOf(headers, logger) === 0) {
        postpone(windowWaitMs(headers, now, logger), 'request quota used up')
      }
    },
  }
}

/** After a 429: until the reset or as long as `Retry-After` requires, and at least 60 seconds. */
function rateLimitWaitMs(headers: Headers, now: number, logger: Logger): number {
  const untilReset = resetAtMs(headers, now, logger) - now
  return Math.max(rateLimitFloorMs, untilReset, retryAfterMs(headers, now, logger))
}

/** Ordinary responses seldom name the reset; the quota is per minute, so a minute renews it. */
function windowWaitMs(headers: Headers, now: number, logger: Logger): number {
  const resetAt = resetAtMs(headers, now, logger)
  return resetAt === 0 ? rateLimitFloorMs : resetAt - now
}

/** 0 where the header is absent, not an integer or no plausible time. */
function resetAtMs(headers: Headers, now: number, logger: Logger): number {
  const name = 'x-ratelimit-reset'
  const resetAt = (integerHeader(headers, name, logger) ?? 0) * 1000
  if (resetAt - now <= longestWaitMs) return resetAt
  return malformed(name, 'epoch seconds within a day', logger)
}

function remainingOf(headers: Headers, logger: Logger): number | undefined {
  const remaining = integerHeader(headers, 'x-ratelimit-remaining', logger)
  return remaining === undefined ? undefined : Math.max(0, remaining)
}

/** `Retry-After` is a number of seconds or a date; 0 where it is absent or neither. */
function retryAfterMs(headers: Headers, now: number, logger: Logger): number {
  const text = headers.get('retry-after')?.trim()
  if (text === undefined) return 0
  const seconds = parseInteger(text)
  // Date.parse would also take "1.5" for a date.
  const date = /^[A-Za-z]{3},? /.test(text) ? Date.parse(text) : Number.NaN
  const waitMs = seconds === undefined ? date - now : seconds * 1000
  if (waitMs <= longestWaitMs) return waitMs
  return malformed('retry-after', 'seconds or a date within a day', logger)
}

function integerHeader(headers: Headers, name: string, logger: Logger): number | undefined {
  const text = headers.get(name)
  if (text === null) return undefined
  const value = parseInteger(text)
  if (value === undefined) malformed(name, 'an integer', logger)
  return value
}

/** The header's text is not repeated: what a stranger sends does not belong into the log. */
function malformed(name: string, expected: string, logger: Logger): 0 {
  logger.warn({ header: name }, `header ${name} is ignored: expected ${expected}`)
  return 0
}

function parseInteger(text: string): number | undefined {
  if (!/^[+-]?\d+$/.test(text.trim())) return undefined
  const value = Number(text)
  return Number.isSafeInteger(value) ? value : undefined
}
