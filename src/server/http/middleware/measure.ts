import type { Metrics } from '../../metrics/metrics.js'
import type { Tracing } from '../../../base/observability/tracing.js'
import type { AppMiddleware } from '../env.js'
import { problemKind } from '../../problems/error-status.js'

/** Counts and times every request, and traces it where a tracer is set. */
export function measure(
  metrics: Pick<Metrics, 'request' | 'phases'>,
  tracing: Pick<Tracing, 'request'> | undefined,
): AppMiddleware {
  return async function measure(c, next) {
    const begunMs = performance.now()
    c.set('begunMs', begunMs)
    await next()
    const phases = c.get('phases')
    if (phases !== undefined) metrics.phases(phases)
    const endedMs = performance.now()
    const request = {
      route: c.get('route') ?? 'none',
      method: methods.has(c.req.method) ? c.req.method : 'other',
      status: c.res.status,
      key: c.get('key')?.name,
      problem: c.error && problemKind(c.error).name,
      seconds: (endedMs - begunMs) / 1000,
    }
    metrics.request(request)
    if (tracing === undefined) return
    const requestId = c.get('requestId')
    const parent = c.req.header('traceparent')
    tracing.request({ ...request, requestId, begunMs, endedMs, phases, parent })
  }
}

/** A client may send any word as its method; the number of labels must not grow with them. */
const methods = new Set(['GET', 'HEAD', 'POST', 'OPTIONS'])
