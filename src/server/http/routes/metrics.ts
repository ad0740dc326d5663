/** GET /metrics for Prometheus. */
import { metricsType } from '../../metrics/merge.js'
import type { Operation } from '../openapi/operation.js'
import type { Route } from '../route.js'
import type { AppServices } from '../services.js'

export function metricsRoutes({ metricsText }: Pick<AppServices, 'metricsText'>): Route[] {
  return [
    {
      group: 'metrics',
      method: 'GET',
      path: '/metrics',
      operation: reporting,
      guards: [],
      handler: async (c) =>
        c.body(await metricsText(), 200, {
          'Content-Type': metricsType,
          'Cache-Control': 'no-store',
        }),
    },
  ]
}

const reporting: Operation = {
  id: 'getMetrics',
  tag: 'Health',
  summary: 'Counts and times, for Prometheus',
  description: 'In the text format of Prometheus, all processes of the server together.',
  responses: { 200: { description: 'The metrics.', type: 'text/plain' } },
}
