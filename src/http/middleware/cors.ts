import type { AppContext, AppMiddleware } from '../env.js'

export interface CorsOptions {
  /** Origins that may call, `*` for all. Credentials are never allowed: the server has none. */
  readonly origins: readonly string[]
  readonly methods: readonly string[]
  readonly headers: readonly string[]
}

/** Headers that a page may read besides those that browsers show anyway. */
const exposed = 'X-Request-Id, Server-Timing, Retry-After, RateLimit, RateLimit-Policy'
/** Seconds that a browser may keep the answer to a preflight. */
const preflightMaxAgeSeconds = 600

/** Lets pages of other origins call. Sets its headers before the answer is made, which is cheapest. */
export function cors({ origins, methods, headers }: CorsOptions): AppMiddleware {
  const allowsAll = origins.includes('*')
  return async function cors(c, next) {
    const origin = c.req.header('origin')
    const isAllowed = allowsAll || (origin !== undefined && origins.includes(origin))
    if (!allowsAll) c.header('Vary', 'Origin')
    if (isAllowed) c.header('Access-Control-Allow-Origin', allowsAll ? '*' : origin)
    if (isPreflight(c)) return preflight(c, isAllowed, methods, headers)
    if (isAllowed) c.header('Access-Control-Expose-Headers', exposed)
    return next()
  }
}

const isPreflight = (c: AppContext) =>
  c.req.method === 'OPTIONS' && c.req.header('access-control-request-method') !== undefined

/** `*` is answered with what was asked for: a literal `*` would leave out Authorization. */
function preflight(
  c: AppContext,
  isAllowed: boolean,
  methods: readonly string[],
  headers: readonly string[],
): Response {
  if (!isAllowed) return c.body(null, 204)
  c.header('Vary', 'Access-Control-Request-Method, Access-Control-Request-Headers', {
    append: true,
  })
  c.header(
    'Access-Control-Allow-Methods',
    listOr(methods, c.req.header('access-control-request-method')),
  )
  c.header(
    'Access-Control-Allow-Headers',
    listOr(headers, c.req.header('access-control-request-headers')),
  )
  c.header('Access-Control-Max-Age', String(preflightMaxAgeSeconds))
  return c.body(null, 204)
}

const listOr = (list: readonly string[], asked: string | undefined) =>
  list.includes('*') ? asked : list.join(', ')
