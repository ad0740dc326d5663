import { answer } from '../answer.js'
import type { AppContext, AppMiddleware } from '../env.js'
import { requestHeader } from '../request-header.js'

export interface CorsOptions {
  /** Origins that may call, `*` for all. Credentials are never allowed: the server has none. */
  readonly origins: readonly string[]
  readonly methods: readonly string[]
  readonly headers: readonly string[]
}

const allowOrigin = 'Access-Control-Allow-Origin'
/** What a page may read besides the headers that browsers show anyway. */
const exposing = {
  'Access-Control-Expose-Headers':
    'X-Request-Id, Server-Timing, Retry-After, RateLimit, RateLimit-Policy',
}
/** Seconds that a browser may keep the answer to a preflight. */
const preflightMaxAgeSeconds = 600

/** Lets pages of other origins call. Its headers are among those of every answer. */
export function cors({ origins, methods, headers }: CorsOptions): AppMiddleware {
  const forAll = origins.includes('*') ? corsHeaders({ origins }, undefined) : undefined
  return async function cors(c, next) {
    const origin = requestHeader(c, 'origin')
    if (!isPreflight(c)) {
      addHeaders(c, forAll ?? corsHeaders({ origins }, origin))
      return next()
    }
    const own = originHeaders(origins, origin)
    addHeaders(c, own)
    return preflight(c, allowOrigin in own, methods, headers)
  }
}

const addHeaders = (c: AppContext, own: Readonly<Record<string, string>>) =>
  c.set('headers', Object.assign(c.get('headers') ?? {}, own))

/** The headers of an answer that is no preflight's, to a page of that origin. */
export function corsHeaders(
  { origins }: Pick<CorsOptions, 'origins'>,
  origin: string | undefined,
): Record<string, string> {
  const own = originHeaders(origins, origin)
  return allowOrigin in own ? { ...own, ...exposing } : own
}

function originHeaders(
  origins: readonly string[],
  origin: string | undefined,
): Record<string, string> {
  if (origins.includes('*')) return { [allowOrigin]: '*' }
  const isAllowed = origin !== undefined && origins.includes(origin)
  return { Vary: 'Origin', ...(isAllowed && { [allowOrigin]: origin }) }
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
