/**
 * What is answered before the app has a look: the probes, and searches while every place is
 * taken. A server that is asked for twice what it can do spends its time on what it has let in, and not
 * on saying no; and it says no before the client has waited.
 */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { datasetNames } from '../catalogue/catalogue.js'
import type { ServerSettings } from '../config/settings.js'
import { OverloadedError } from '../errors/overloaded-error.js'
import { type NextTurn, createTurns } from '../scheduling/next-turn.js'
import { toMicroseconds } from '../util/microseconds.js'
import type { AppServices } from './app.js'
import { requestIdOf } from './middleware/common-headers.js'
import { corsHeaders } from './middleware/cors.js'
import { problemAnswer } from './problem.js'
import { limitedGroups } from './limits/rate-window.js'
import type { RouteGroup } from '../config/route-groups.js'
import { isGroupEnabled } from './route.js'
import { alive, probeHeaders, probes } from './routes/health.js'

/** Answers, or lets the request pass to the app: at once, or in a moment. */
export type FrontDoor = (
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  pass: () => void,
) => void

/** What is counted and told in the log, unlike the probe of the process. */
type Report = '/' | '/readyz'
const isReport = (url: string): url is Report => url === '/' || url === '/readyz'

/**
 * Milliseconds between two looks at the sockets for those who may pass; with 0 one does. A search by
 * similarity costs this thread so little that one at each look means a fifth fewer of them, and half as
 * many where most are refused; one of /search costs enough to be alone.
 */
const passMs = { searchmodel: 0.5, search: 0 } as const

/** How often the log tells how many were refused. */
const tellAfterMs = 1000

type FrontDoorServices = Pick<
  AppServices,
  'settings' | 'admission' | 'health' | 'metrics' | 'logger' | 'tracing'
>

export function createFrontDoor({
  settings,
  admission,
  health,
  metrics,
  logger,
  tracing,
}: FrontDoorServices): FrontDoor {
  const paced = new Set(limitedGroups(settings).map(({ group }) => group))
  // Who is paced is told so whatever the load, with the headers that say it.
  const isOpen = (group: RouteGroup) => isGroupEnabled(settings, group) && !paced.has(group)
  const searches = (['searchmodel', 'search'] as const).filter(isOpen)
  const turnsOf = new Map(
    searches.flatMap((group) => {
      const turns = createTurns(passMs[group])
      return datasetNames.map((dataset) => [`/${group}/${dataset}`, turns])
    }),
  )
  // Only the app knows what these tell of a request.
  const tellsMore = tracing !== undefined || settings.logQueries
  const answersAlive = isOpen('health')
  const reports = answersAlive && !tellsMore
  const forAll = settings.corsOrigins.includes('*') ? corsList(settings, undefined) : undefined
  /** They have passed the door and not yet begun. */
  let entering = 0
  let refused = 0
  let telling: NodeJS.Timeout | undefined

  function answerAlive({ headers }: IncomingMessage, outgoing: ServerResponse): void {
    outgoing.writeHead(alive.status, headerList(headers, aliveList, idOf(headers))).end(alive.body)
  }

  function report({ headers }: IncomingMessage, outgoing: ServerResponse, path: Report): void {
    const begun = performance.now()
    const requestId = idOf(headers)
    const { status, body } = probes[path](health)
    const list = headerList(headers, probeList, requestId)
    const length = String(Buffer.byteLength(body))
    outgoing.writeHead(status, [...list, 'Content-Length', length]).end(body)
    const ms = performance.now() - begun
    metrics.request({ route: path, method: 'GET', status, seconds: ms / 1000 })
    const durationMs = toMicroseconds(ms)
    logger.info({ requestId, method: 'GET', path, status, durationMs }, 'request')
  }

  function refuse(incoming: IncomingMessage, outgoing: ServerResponse, path: string): void {
    const begun = performance.now()
    const { headers } = incoming
    dropBody(incoming)
    const requestId = idOf(headers)
    const body = beforeId + requestId + afterId
    const list = headerList(headers, refusalList, requestId)
    outgoing.writeHead(status, [...list, 'Content-Length', String(body.length)]).end(body)
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

  /**
   * Names and values in turns, which Node takes as they are. Where every page may call, the app says so to
   * whoever asks, for caches; no cache keeps these answers, so who names no origin is spared the headers.
   */
  function headerList(
    { origin }: IncomingHttpHeaders,
    own: readonly string[],
    requestId: string,
  ): string[] {
    if (forAll === undefined) return [...corsList(settings, origin), ...own, idName, requestId]
    return origin === undefined
      ? [...own, idName, requestId]
      : [...forAll, ...own, idName, requestId]
  }

  /** A few a turn, so that whoever is refused does not wait until all who came before have begun. */
  async function passInTurn(
    nextTurn: NextTurn,
    outgoing: ServerResponse,
    pass: () => void,
  ): Promise<void> {
    entering += 1
    await nextTurn()
    entering -= 1
    if (!outgoing.destroyed) pass()
  }

  /** What may be a search: at once where none is under way, else in its turn, or not at all. */
  const admit: FrontDoor = (incoming, outgoing, pass) => {
    const { url = '' } = incoming
    const query = url.indexOf('?')
    const path = query < 0 ? url : url.slice(0, query)
    const nextTurn = turnsOf.get(path)
    const busy = admission.taken() + entering
    if (busy === 0 || nextTurn === undefined) pass()
    else if (busy >= settings.limitConcurrency) refuse(incoming, outgoing, path)
    else void passInTurn(nextTurn, outgoing, pass)
  }

  return (incoming, outgoing, pass) => {
    const { method, url = '', headers, httpVersion } = incoming
    // Without a Host, or with one that may be none, it is the app's to refuse.
    if (!plainHost.test(headers.host ?? (httpVersion === '1.1' ? '' : 'localhost'))) pass()
    else if (method === 'POST' && !tellsMore) admit(incoming, outgoing, pass)
    else if (method === 'GET' && answersAlive && url === '/livez') answerAlive(incoming, outgoing)
    else if (method === 'GET' && reports && isReport(url)) report(incoming, outgoing, url)
    else pass()
  }
}

/**
 * Node's own mark of a body that nobody wants: without it a stream takes in what is read by nobody, an
 * eighth of what a refusal costs. A Node that does not know the mark drops the body after the answer.
 */
function dropBody(incoming: IncomingMessage & { _dumped?: boolean }): void {
  incoming._dumped = true
}

/** A name or an address, with or without a port. */
const plainHost = /^[\w.:[\]-]+$/

const idName = 'X-Request-Id'

const listOf = (headers: Readonly<Record<string, string>>) => Object.entries(headers).flat()

const corsList = ({ corsOrigins: origins }: ServerSettings, origin: string | undefined) =>
  listOf(corsHeaders({ origins }, origin))

const probeList = listOf(probeHeaders)
const aliveList = [...probeList, 'Content-Length', String(alive.body.length)]

/** The answer is the same every time but for the request's id. */
const idPlace = '(request id)'
const overloaded = problemAnswer(new OverloadedError(), idPlace)
const { status, name: problem } = overloaded.kind
const [beforeId = '', afterId = ''] = JSON.stringify(overloaded.body).split(idPlace)
const refusalList = Object.entries(overloaded.headers)
  .filter(([name]) => name !== idName)
  .flat()

function idOf({ 'x-request-id': asked }: IncomingHttpHeaders): string {
  return requestIdOf(typeof asked === 'string' ? asked : undefined)
}
