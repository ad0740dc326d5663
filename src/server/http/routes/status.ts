/** GET /status: the operators' view of a running server, and the stream of events behind it. */
import type { Operation } from '../openapi/operation.js'
import type { Route } from '../route.js'
import type { AppServices } from '../services.js'
import { searchSummary } from '../../schemas/search-summary.js'
import { readPage } from '../page-files.js'
import { content, pageFiles, pagePolicy, staticRoute } from '../static-route.js'
import { statusEvents } from '../status-events.js'

export function statusRoutes(
  services: Pick<AppServices, 'settings' | 'gpuPlan' | 'health' | 'metricsText' | 'analytics'>,
): Route[] {
  const events: Route = {
    group: 'status',
    method: 'GET',
    path: '/status/events',
    guards: [],
    handler: statusEvents(services),
  }
  const { analytics } = services
  const searches: Route[] = analytics
    ? [
        {
          group: 'status',
          method: 'GET',
          path: '/status/searches',
          operation: counting,
          guards: [],
          handler: async (c) =>
            c.json(await analytics.summary(), 200, { 'Cache-Control': 'no-store' }),
        },
      ]
    : []
  const html = services.settings.ui === 'off' ? undefined : readPage('status.html')
  if (html === undefined) return [events, ...searches]
  const page = content(html, 'text/html; charset=utf-8')
  return [
    events,
    ...searches,
    staticRoute('status', '/status', page, { operation: watching, guards: [pagePolicy()] }),
    ...pageFiles('status'),
  ]
}

const counting: Operation = {
  id: 'getSearches',
  tag: 'Health',
  summary: 'What was searched',
  description:
    'Frequent queries, those for which nothing fits well, and times by kind of query, of all processes since the ' +
    'server started. Only with `--analytics`.',
  responses: { 200: { description: 'What was searched.', schema: searchSummary } },
}

const watching: Operation = {
  id: 'getStatus',
  tag: 'Health',
  summary: 'The state of the server as a page',
  description: 'Live by server-sent events: requests, times, memory, datasets and models.',
  responses: { 200: { description: 'The page.', headers: ['ETag'], type: 'text/html' } },
}
