/** Retries what may succeed later: a broken transfer, a busy server. */
import pRetry from 'p-retry'
import { systemClock } from '../util/clock.js'
import { UpstreamError } from '../errors/index.js'
import { Refusal } from './refusal.js'

export interface RetryOptions {
  readonly signal?: AbortSignal | undefined
  /** Wait before the second attempt; it doubles with each further attempt. */
  readonly firstWaitMs?: number
  /** Called before each wait. */
  readonly onRetry?: ((problem: string, waitMs: number) => void) | undefined
}

const maxAttempts = 5
/** The call fails if a server requires a longer wait: the user tries again later. */
const maxWaitMs = 120_000
const retryableCodes: ReadonlySet<string> = new Set([
  'ENETWORK',
  'ETIMEOUT',
  'ESERVER',
  'EDEADLINE',
])

/**
 * Rejects with the last error, or with the signal's reason.
 * @param attempt calls `progress` when it got further than before; after an attempt that did, the count of
 *   attempts starts again
 */
export async function withRetries<T>(
  attempt: (progress: () => void) => Promise<T>,
  options: RetryOptions,
): Promise<T> {
  for (;;) {
    const outcome = await retryUntilProgress(attempt, options)
    if ('value' in outcome) return outcome.value
    const { signal, firstWaitMs = 1000, onRetry } = options
    onRetry?.(outcome.interrupted.message, firstWaitMs)
    await systemClock.sleep(firstWaitMs, signal)
  }
}

type Outcome<T> = { readonly value: T } | { readonly interrupted: Error }

function retryUntilProgress<T>(
  attempt: (progress: () => void) => Promise<T>,
  { signal, firstWaitMs = 1000, onRetry }: RetryOptions,
): Promise<Outcome<T>> {
  const once = async (): Promise<Outcome<T>> => {
    const steps = { count: 0 }
    try {
      return { value: await attempt(() => (steps.count += 1)) }
    } catch (error) {
      if (steps.count > 0 && isRetryable(error)) return { interrupted: error }
      throw error
    }
  }
  return pRetry(once, {
    retries: maxAttempts - 1,
    // The waits are ours: p-retry does not know Retry-After.
    minTimeout: 0,
    shouldRetry: ({ error }) => isRetryable(error),
    async onFailedAttempt({ error, retriesConsumed, retriesLeft }) {
      signal?.throwIfAborted()
      if (!isRetryable(error) || retriesLeft === 0) return
      const waitMs = waitAfter(error, firstWaitMs * 2 ** retriesConsumed)
      onRetry?.(error.message, waitMs)
      await systemClock.sleep(waitMs, signal)
    },
  })
}

const isRetryable = (error: unknown): error is UpstreamError =>
  error instanceof UpstreamError &&
  retryableCodes.has(error.code) &&
  waitAfter(error, 0) <= maxWaitMs

function waitAfter(error: UpstreamError, ownMs: number): number {
  return error instanceof Refusal ? (error.retryAfterMs ?? ownMs) : ownMs
}
