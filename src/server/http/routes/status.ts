/** GET /status: the operators' view of a running server, and the stream of events behind it. */
import type { Operation } from '../openapi/operation.js'
import type { Route } from '../route.js'
import type { AppServices } from '../services.js'
import { readPage } from '../page-files.js'
import { content, pageFiles, pagePolicy, staticRoute } from '../static-route.js'
import { statusEvents } from '../status-events.js'

export function statusRoutes(
  services: Pick<AppServices, 'settings' | 'gpuPlan' | 'health' | 'metricsText'>,
): Route[] {
  const events: Route = {
    group: 'status',
    method: 'GET',
    path: '/status/events',
    guards: [],
    handler: statusEvents(services),
  }
  const html = services.settings.ui === 'off' ? undefined : readPage('status.html')
  if (html === undefined) return [events]
  const page = content(html, 'text/html; charset=utf-8')
  return [
    events,
    staticRoute('status', '/status', page, { operation: watching, guards: [pagePolicy()] }),
    ...pageFiles('status'),
  ]
}

const watching: Operation = {
  id: 'getStatus',
  tag: 'Health',
  summary: 'The state of the server as a page',
  description: 'Live by server-sent events: requests, times, memory, datasets and models.',
  responses: { 200: { description: 'The page.', headers: ['ETag'], type: 'text/html' } },
}
