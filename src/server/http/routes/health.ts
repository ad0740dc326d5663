/** GET / for people and monitors, /livez and /readyz for orchestrators. */
import type { HealthReport } from '../../schemas/server-health.js'
import type { Operation } from '../openapi/operation.js'
import { revalidatedJson } from '../revalidated-json.js'
import type { Route } from '../route.js'
import { healthReport, probe, readiness } from '../../schemas/health-responses.js'
import type { AppServices } from '../services.js'

export function healthRoutes({ health }: Pick<AppServices, 'health'>): Route[] {
  const common = { group: 'health', method: 'GET', guards: [] } as const
  return [
    {
      ...common,
      path: '/',
      operation: reporting,
      handler: (c) => revalidatedJson(c, health.report()),
    },
    {
      ...common,
      path: '/livez',
      operation: living,
      handler: (c) => c.json({ status: 'ok' }, 200, uncached),
    },
    {
      ...common,
      path: '/health',
      operation: responding,
      handler: (c) => c.text('', 200, uncached),
    },
    {
      ...common,
      path: '/readyz',
      operation: beingReady,
      handler(c) {
        const { status, reasons } = health.report()
        return c.json({ status, reasons }, isReady(status) ? 200 : 503, uncached)
      },
    },
  ]
}

const uncached = { 'Cache-Control': 'no-store' }

const isReady = (status: HealthReport['status']) => status === 'ok' || status === 'degraded'

const reporting: Operation = {
  id: 'getHealth',
  tag: 'Health',
  summary: 'State of the server and its datasets',
  description: 'The state of the server, whether CUDA is available, and what can be searched.',
  responses: { 200: { description: 'The server runs, in any state.', schema: healthReport } },
}
const living: Operation = {
  id: 'getLiveness',
  tag: 'Health',
  summary: 'Whether the process runs',
  description: 'For orchestrators: restart a server that does not respond to this.',
  responses: { 200: { description: 'It runs.', schema: probe } },
}
const responding: Operation = {
  id: 'getTeiHealth',
  tag: 'Health',
  summary: 'The same without a body',
  description: 'For programs that expect text-embeddings-inference, vLLM or Infinity.',
  responses: { 200: { description: 'It runs.', type: 'text/plain' } },
}
const beingReady: Operation = {
  id: 'getReadiness',
  tag: 'Health',
  summary: 'Whether to send requests here',
  description: 'For load balancers: send nothing to a server that is not ready or stops.',
  responses: {
    200: { description: 'Ready: `ok` or `degraded`.', schema: readiness },
    503: { description: 'Not ready: `unavailable`, `damaged` or `stopping`.', schema: readiness },
  },
}
