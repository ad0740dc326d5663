/** Tries again what may go well the next time: a broken transfer, a busy hub. */
import { systemClock } from '../../util/clock.js'
import { UpstreamError } from '../../errors/upstream-error.js'
import { HubRefusal } from './refusal.js'

export interface RetryOptions {
  readonly signal?: AbortSignal | undefined
  /** Wait before the second attempt; it doubles from there on. */
  readonly firstWaitMs?: number
  /** Told before each wait. */
  readonly onRetry?: ((problem: string, waitMs: number) => void) | undefined
}

const mostAttempts = 5
/** Who is told to wait for longer is told to come back instead. */
const longestWaitMs = 120_000
const passing: ReadonlySet<string> = new Set(['ENETWORK', 'ETIMEOUT', 'ESERVER', 'EDEADLINE'])

/**
 * @param attempt answers when it succeeded; tells through `progress` that it came further, from where on
 *   the attempts count anew
 */
export async function withRetries<T>(
  attempt: (progress: () => void) => Promise<T>,
  { signal, firstWaitMs = 1000, onRetry }: RetryOptions,
): Promise<T> {
  let failures = 0
  for (;;) {
    try {
      return await attempt(() => (failures = 0))
    } catch (error) {
      failures += 1
      const waitMs = waitAfter(error, firstWaitMs * 2 ** (failures - 1))
      if (waitMs === undefined || failures >= mostAttempts) throw error
      onRetry?.(error instanceof Error ? error.message : String(error), waitMs)
      await systemClock.sleep(waitMs, signal)
    }
  }
}

/** Undefined where trying again is of no use. */
function waitAfter(error: unknown, ownMs: number): number | undefined {
  if (!(error instanceof UpstreamError) || !passing.has(error.code)) return undefined
  const askedMs = error instanceof HubRefusal ? error.retryAfterMs : undefined
  const waitMs = askedMs ?? ownMs
  return waitMs <= longestWaitMs ? waitMs : undefined
}
