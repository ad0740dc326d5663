/** How long a client itself is ready to wait. */
import type { AppContext } from './env.js'
import { requestHeader } from './request-header.js'

/**
 * Milliseconds: the least of `Prefer: wait=2` (RFC 7240, whole seconds) and
 * `X-Envoy-Expected-Rq-Timeout-Ms: 1500`, which Envoy and what is built on it send by themselves.
 * Undefined where neither is there; a value that is not understood is no limit, as RFC 7240 has it.
 */
export function clientDeadlineMs(c: AppContext): number | undefined {
  const [, wait] =
    /(?:^|,)\s*wait\s*=\s*"?(\d{1,9})"?\s*(?:[,;]|$)/i.exec(requestHeader(c, 'prefer') ?? '') ?? []
  const [, proxy] =
    /^\s*(\d{1,9})\s*$/.exec(requestHeader(c, 'x-envoy-expected-rq-timeout-ms') ?? '') ?? []
  const limits = [wait && Number(wait) * 1000, proxy && Number(proxy)].filter(
    // Envoy writes 0 for no limit at all; nobody waits for nothing.
    (limit) => typeof limit === 'number' && limit > 0,
  ) as number[]
  return limits.length === 0 ? undefined : Math.min(...limits)
}
