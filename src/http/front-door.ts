/**
 * What is answered before the app has a look: the probe of the process, and searches while every place is
 * taken. A server that is asked for twice what it can do spends its time on what it has let in, and not
 * on saying no; and it says no before the client has waited.
 */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { datasetNames } from '../catalogue/catalogue.js'
import { OverloadedError } from '../errors/overloaded-error.js'
import type { AppServices } from './app.js'
import { requestIdOf } from './middleware/common-headers.js'
import { corsHeaders } from './middleware/cors.js'
import { problemAnswer } from './problem.js'
import { pacedGroups } from './rate-store.js'
import type { RouteGroup } from './route-groups.js'
import { isGroupEnabled } from './route.js'
import { alive, probeHeaders } from './routes/health.js'

/** Answers and is true, or leaves the request to the app. */
export type FrontDoor = (incoming: IncomingMessage, outgoing: ServerResponse) => boolean

/** How often the log tells how many were refused. */
const tellAfterMs = 1000

type FrontDoorServices = Pick<
  AppServices,
  'settings' | 'admission' | 'metrics' | 'logger' | 'tracing'
>

export function createFrontDoor({
  settings,
  admission,
  metrics,
  logger,
  tracing,
}: FrontDoorServices): FrontDoor {
  const paced = new Set(pacedGroups(settings.rateLimit).map(([group]) => group))
  // Who is paced is told so whatever the load, with the headers that say it.
  const isOpen = (group: RouteGroup) => isGroupEnabled(settings, group) && !paced.has(group)
  const answersProbe = isOpen('health')
  const searches = (['searchmodel', 'search'] as const).filter(isOpen)
  const searchPaths = new Set(
    searches.flatMap((group) => datasetNames.map((dataset) => `/${group}/${dataset}`)),
  )
  // Only the app knows what these tell of a request.
  const refuses = tracing === undefined && !settings.logQueries
  let refused = 0
  let telling: NodeJS.Timeout | undefined

  function probe({ headers }: IncomingMessage, outgoing: ServerResponse): void {
    const own = { ...probeHeaders, 'X-Request-Id': idOf(headers) }
    reply(outgoing, 200, { ...corsOf(headers), ...own }, alive)
  }

  function refuse({ headers }: IncomingMessage, outgoing: ServerResponse, path: string): void {
    const begun = performance.now()
    const requestId = idOf(headers)
    const own = { ...overloaded.headers, 'X-Request-Id': requestId }
    reply(outgoing, status, { ...corsOf(headers), ...own }, beforeId + requestId + afterId)
    const seconds = (performance.now() - begun) / 1000
    metrics.request({ route: path, method: 'POST', status, problem, seconds })
    tell()
  }

  /** Not a line each: a flood would wash everything else out of the log, and take as long as the answers. */
  function tell(): void {
    refused += 1
    telling ??= setTimeout(() => {
      logger.warn({ refused, status, problem }, 'every place of --limit-concurrency was taken')
      refused = 0
      telling = undefined
    }, tellAfterMs).unref()
  }

  const corsOf = ({ origin }: IncomingHttpHeaders) =>
    corsHeaders({ origins: settings.corsOrigins }, origin)

  return (incoming, outgoing) => {
    const { method, url = '', headers, httpVersion } = incoming
    if (headers.host === undefined && httpVersion === '1.1') return false
    if (answersProbe && method === 'GET' && url === '/livez') {
      probe(incoming, outgoing)
      return true
    }
    if (!refuses || method !== 'POST' || !admission.isFull()) return false
    const [path = ''] = url.split('?', 1)
    if (!searchPaths.has(path)) return false
    refuse(incoming, outgoing, path)
    return true
  }
}

/** The answer is the same every time but for the request's id. */
const idPlace = '(request id)'
const overloaded = problemAnswer(new OverloadedError(), idPlace)
const { status, name: problem } = overloaded.kind
const [beforeId = '', afterId = ''] = JSON.stringify(overloaded.body).split(idPlace)

function idOf({ 'x-request-id': asked }: IncomingHttpHeaders): string {
  return requestIdOf(typeof asked === 'string' ? asked : undefined)
}

function reply(
  outgoing: ServerResponse,
  status: number,
  headers: Record<string, string>,
  body: string,
): void {
  outgoing.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) }).end(body)
}
