/** How long a client is willing to wait. */
import type { AppContext } from './env.js'

/**
 * Milliseconds: the least of `Prefer: wait=2` (RFC 7240, whole seconds) and
 * `X-Envoy-Expected-Rq-Timeout-Ms: 1500`, which Envoy and proxies built on it send.
 * Undefined where neither header is there; an invalid value is no limit, as RFC 7240 says.
 */
export function clientDeadlineMs(c: AppContext): number | undefined {
  const [, wait] =
    /(?:^|,)\s*wait\s*=\s*"?(\d{1,9})"?\s*(?:[,;]|$)/i.exec(c.req.header('prefer') ?? '') ?? []
  const [, proxy] =
    /^\s*(\d{1,9})\s*$/.exec(c.req.header('x-envoy-expected-rq-timeout-ms') ?? '') ?? []
  const limits = [wait && Number(wait) * 1000, proxy && Number(proxy)].filter(
    // Envoy writes 0 for no limit.
    (limit) => typeof limit === 'number' && limit > 0,
  ) as number[]
  return limits.length === 0 ? undefined : Math.min(...limits)
}
