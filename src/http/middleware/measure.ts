import type { Metrics } from '../../metrics/metrics.js'
import type { AppMiddleware } from '../env.js'
import { problemKind } from '../error-status.js'

/** Counts and times every request. */
export function measure(metrics: Pick<Metrics, 'request' | 'phases'>): AppMiddleware {
  return async function measure(c, next) {
    const begunMs = performance.now()
    c.set('begunMs', begunMs)
    await next()
    const phases = c.get('phases')
    if (phases !== undefined) metrics.phases(phases)
    metrics.request({
      route: c.get('route') ?? 'none',
      method: methods.has(c.req.method) ? c.req.method : 'other',
      status: c.res.status,
      seconds: (performance.now() - begunMs) / 1000,
      problem: c.error && problemKind(c.error).name,
    })
  }
}

/** A client may send any word as its method; labels must not grow by it. */
const methods = new Set(['GET', 'HEAD', 'POST', 'OPTIONS'])
