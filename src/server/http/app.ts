/**
 * The HTTP application as a function of its services: no I/O, no listening. A request passes
 * request id → metrics → access log → CORS → compression → host → (key → rate limit → admission → deadline) → its route.
 * Errors thrown on the way become the one error body.
 */
import { Hono } from 'hono'
import { requestId } from 'hono/request-id'
import type { RouteGroup } from '../../base/config/route-groups.js'
import { MethodNotAllowedError, NotFoundError } from '../../base/errors/index.js'
import { asciiControls } from '../../base/util/printable.js'
import { withAccess } from './access/with-access.js'
import { clientAddresses } from './limits/client-address.js'
import { withRateLimit } from './limits/limited-routes.js'
import type { AppContext, AppEnv, AppMiddleware } from './env.js'
import { accessLog } from './middleware/access-log.js'
import { compress } from './middleware/compress.js'
import { cors } from './middleware/cors.js'
import { deadline } from './middleware/deadline.js'
import { onlyOwnHosts, onlyOwnPages, readersOf } from './middleware/foreign-pages.js'
import { measure } from './middleware/measure.js'
import { notFoundPage } from './not-found-page.js'
import { allSlotsTaken, overloadResponse } from './overload-response.js'
import { problemResponse } from '../problems/problem.js'
import { isGroupEnabled, templateOf, type Guards, type Route } from './route.js'
import { browseRoutes } from './routes/browse.js'
import { docsRoutes } from './routes/docs.js'
import { healthRoutes } from './routes/health.js'
import { feedbackRoutes } from './routes/feedback.js'
import { mcpRoutes } from './routes/mcp.js'
import { pageRoutes } from './routes/page.js'
import { mapRoutes } from './routes/map.js'
import { modelRoutes } from './routes/models.js'
import { metricsRoutes } from './routes/metrics.js'
import { withTextIds } from './text-id-routes.js'
import { statusRoutes } from './routes/status.js'
import { joinedSearchRoutes } from './routes/joined-search.js'
import { listRoutes } from './routes/list.js'
import { recommendRoutes } from './routes/recommend.js'
import { searchRoutes } from './routes/search.js'
import { searchModelRoutes } from './routes/searchmodel.js'
import { similarRoutes } from './routes/similar.js'
import { userListRoutes } from './routes/user-lists.js'
import { writeRoutes } from './routes/writes.js'
import { v1Routes } from './routes/v1/routes.js'
import type { AppServices } from './services.js'
import { errorShapeOf } from './v1/error-shapes.js'

export function createApp(services: AppServices): Hono<AppEnv> {
  const { settings, logger, datasets } = services
  const guards = createGuards(services)
  const addressOf = clientAddresses(settings.trustProxy)
  const limited = (route: Route) =>
    withAccess(withRateLimit(route, services.rateLimits), services.access)
  const isEnabled = ({ group }: Route) => isGroupEnabled(settings, group)
  const { rankedSearch, joinedSearch, listEntries, recommend, inference } = services
  const { version } = services.health.report()
  const described = [
    ...searchModelRoutes(services, guards),
    ...(rankedSearch ? searchRoutes({ rankedSearch, settings, logger, datasets }, guards) : []),
    ...(joinedSearch
      ? joinedSearchRoutes({ joinedSearch, settings, entryIds: services.entryIds }, guards)
      : []),
    ...similarRoutes(services, guards),
    ...(recommend
      ? recommendRoutes({ recommend, browse: services.browse, settings, datasets }, guards)
      : []),
    ...browseRoutes(services, guards),
    ...(listEntries ? listRoutes({ listEntries, settings, datasets }, guards) : []),
    ...userListRoutes(services, guards),
    ...writeRoutes(services, guards),
    ...mapRoutes(services, guards),
    ...feedbackRoutes(services, guards),
    ...mcpRoutes(services, guards),
    ...modelRoutes(services, guards),
    ...healthRoutes(services),
    ...metricsRoutes(services),
    ...statusRoutes(services),
    ...(inference ? v1Routes({ inference, settings, version }, guards) : []),
  ]
    .filter(isEnabled)
    .map((route) => withTextIds(route, services.entryIds))
    .map(limited)
  const page = pageRoutes(services).filter(isEnabled).map(limited)
  const docs = docsRoutes(described, {
    version,
    hasSearchPage: page.length > 0,
    hasTextIds: services.entryIds?.hasTexts === true,
  })
    .filter(isEnabled)
    .map(limited)
  const routes = [...page, ...described, ...docs]
  const hasV1 = described.some(({ group }) => group === 'v1')

  const app = new Hono<AppEnv>()
  app.use(requestId())
  app.use(measure(services.metrics, services.tracing))
  app.use(accessLog(logger, settings.logQueries ? addressOf : undefined))
  app.use(noSniff)
  app.use(
    cors({
      origins: readersOf(settings),
      methods: settings.corsMethods,
      headers: settings.corsHeaders,
    }),
  )
  app.use(compress)
  app.use(onlyOwnHosts(settings))
  for (const { group, method, path, guards, handler } of routes) {
    const pages = ofOwnPages.has(group) ? [onlyOwnPages(settings)] : []
    app.on([method], [path], named(templateOf(path)), ...pages, ...guards, handler)
  }
  for (const path of new Set(routes.map(({ path }) => path))) {
    const methods = routes.filter((route) => route.path === path).map(({ method }) => method)
    app.all(path, (c) => otherMethodResponse(c, [...new Set(methods)]))
  }
  app.notFound(async (c) => {
    const shown = page.length > 0 ? await notFoundPage(c) : undefined
    if (shown !== undefined) return shown
    throw new NotFoundError('There is nothing at this path.')
  })
  app.onError((error, c) => {
    const shape = hasV1 ? errorShapeOf(c.req.method, c.req.path) : undefined
    if (error === allSlotsTaken) return overloadResponse(c, shape)
    const { kind, body, headers } = problemResponse(error, c.get('requestId'), shape)
    return c.body(asciiControls(JSON.stringify(body)), kind.status, headers)
  })
  return app
}

/** What changes something, searches for a program, or says how the server is. */
const ofOwnPages: ReadonlySet<RouteGroup> = new Set(['mcp', 'feedback', 'status', 'writes'])

function createGuards({
  admission,
  rateLimits,
  access,
}: Pick<AppServices, 'admission' | 'rateLimits' | 'access'>): Guards {
  const limitOf = (group: RouteGroup, c: AppContext) =>
    c.get('key')?.perMinute === undefined ? rateLimits.get(group) : access?.limit
  return {
    admit: [admission.admit, deadline],
    work: (c, task, size) => admission.work(c, task, size),
    charge: async (group, c, size) => limitOf(group, c)?.charge(c, size),
  }
}

/** Browsers take every response for what its Content-Type says. */
const noSniff: AppMiddleware = async function noSniff(c, next) {
  c.header('X-Content-Type-Options', 'nosniff')
  await next()
}

/** Notes the route that the request takes, for metrics, log and admission. */
function named(route: string): AppMiddleware {
  return async function named(c, next) {
    c.set('route', route)
    await next()
  }
}

/** For a known path that has no route for this method. */
function otherMethodResponse(c: AppContext, methods: readonly string[]): Response {
  const allowed = [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS']
  if (c.req.method === 'OPTIONS') return c.body(null, 204, { Allow: allowed.join(', ') })
  throw new MethodNotAllowedError(c.req.method, allowed)
}
