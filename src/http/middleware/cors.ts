import { answer } from '../answer.js'
import type { AppContext, AppMiddleware } from '../env.js'
import { requestHeader } from '../request-header.js'

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

/** Lets pages of other origins call. Its headers are among those of every answer. */
export function cors({ origins, methods, headers }: CorsOptions): AppMiddleware {
  const allowsAll = origins.includes('*')
  return async function cors(c, next) {
    const origin = requestHeader(c, 'origin')
    const isAllowed = allowsAll || (origin !== undefined && origins.includes(origin))
    const answered = c.get('headers') ?? {}
    if (!allowsAll) answered.Vary = 'Origin'
    if (isAllowed) answered['Access-Control-Allow-Origin'] = allowsAll ? '*' : (origin ?? '')
    if (isPreflight(c)) return preflight(c, isAllowed, methods, headers)
    if (isAllowed) answered['Access-Control-Expose-Headers'] = exposed
    return next()
  }
}

const isPreflight = (c: AppContext) =>
  c.req.method === 'OPTIONS' && requestHeader(c, 'access-control-request-method') !== undefined

/** `*` is answered with what was asked for: a literal `*` would leave out Authorization. */
function preflight(
  c: AppContext,
  isAllowed: boolean,
  methods: readonly string[],
  headers: readonly string[],
): Response {
  if (!isAllowed) return answer(c, null, 204)
  const { Vary = '' } = c.get('headers') ?? {}
  const asked = 'Access-Control-Request-Method, Access-Control-Request-Headers'
  return answer(c, null, 204, {
    Vary: Vary === '' ? asked : `${Vary}, ${asked}`,
    ...listOr('Methods', methods, requestHeader(c, 'access-control-request-method')),
    ...listOr('Headers', headers, requestHeader(c, 'access-control-request-headers')),
    'Access-Control-Max-Age': String(preflightMaxAgeSeconds),
  })
}

/** The header that allows them; none where nothing was asked for. */
function listOr(
  what: string,
  list: readonly string[],
  asked: string | undefined,
): Record<string, string> {
  const value = list.includes('*') ? asked : list.join(', ')
  return value === undefined ? {} : { [`Access-Control-Allow-${what}`]: value }
}
