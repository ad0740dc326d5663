import type { AppContext, AppMiddleware } from '../env.js'

export interface CorsOptions {
  /** Origins that may call, `*` for all. Credentials are never allowed: the server has none. */
  readonly origins: readonly string[]
  readonly methods: readonly string[]
  readonly headers: readonly string[]
}

/** What a page may read besides the headers that browsers always show. */
const exposedHeaders = 'X-Request-Id, Server-Timing, Retry-After, RateLimit, RateLimit-Policy'
/** Seconds that a browser may keep the response to a preflight. */
const preflightMaxAgeSeconds = 600

/** Lets pages of other origins call. Sets its headers before the route runs, so errors have them too. */
export function cors({ origins, methods, headers }: CorsOptions): AppMiddleware {
  const isForAll = origins.includes('*')
  return async function cors(c, next) {
    const origin = c.req.header('origin')
    const isAllowed = isForAll || (origin !== undefined && origins.includes(origin))
    if (!isForAll && origins.length > 0) c.header('Vary', 'Origin', { append: true })
    if (isAllowed) c.header('Access-Control-Allow-Origin', isForAll ? '*' : origin)
    if (isPreflight(c)) return preflightResponse(c, isAllowed, methods, headers)
    if (isAllowed) c.header('Access-Control-Expose-Headers', exposedHeaders)
    await next()
  }
}

const isPreflight = (c: AppContext) =>
  c.req.method === 'OPTIONS' && c.req.header('access-control-request-method') !== undefined

function preflightResponse(
  c: AppContext,
  isAllowed: boolean,
  methods: readonly string[],
  headers: readonly string[],
): Response {
  if (!isAllowed) return c.body(null, 204)
  const requestMethod = 'Access-Control-Request-Method'
  const requestHeaders = 'Access-Control-Request-Headers'
  c.header('Vary', `${requestMethod}, ${requestHeaders}`, { append: true })
  c.header('Access-Control-Allow-Methods', allowedList(methods, c.req.header(requestMethod)))
  c.header('Access-Control-Allow-Headers', allowedList(headers, c.req.header(requestHeaders)))
  c.header('Access-Control-Max-Age', String(preflightMaxAgeSeconds))
  return c.body(null, 204)
}

/** For `*` returns what was requested: browsers take a literal `*` to leave out Authorization. */
const allowedList = (list: readonly string[], requested: string | undefined) =>
  list.includes('*') ? requested : list.join(', ')
