/**
 * Keeps web pages of others out. A page can have its own name resolve to this machine (DNS rebinding), so
 * a server on loopback answers only to its own names. What changes something, or says how the server is,
 * answers only pages that may call: `--cors-origins`, and the server's own.
 */
import type { ServerSettings } from '../../../base/config/settings.js'
import { ForeignRequestError } from '../../../base/errors/index.js'
import { isLoopback } from '../../../base/util/loopback.js'
import type { AppContext, AppMiddleware } from '../env.js'

type HostSettings = Pick<ServerSettings, 'host' | 'allowedHosts'>

/** @throws ForeignRequestError where the host is not one of the server's */
export function onlyOwnHosts({ host, allowedHosts }: HostSettings): AppMiddleware {
  const names = hostsOf(allowedHosts)
  const isOpen = names.size === 0 && !isLoopback(host)
  return async function onlyOwnHosts(c, next) {
    const { hostname } = new URL(c.req.url)
    if (!isOpen && !isLoopback(hostname) && !names.has(hostname)) {
      throw new ForeignRequestError(
        `Expected a Host that is a name of this machine, received ${hostname}. ` +
          "The server's setting --allowed-hosts adds names.",
      )
    }
    await next()
  }
}

/** @throws ForeignRequestError where the request comes from a page that may not call */
export function onlyOwnPages({
  corsOrigins,
  allowedHosts,
}: Pick<ServerSettings, 'corsOrigins' | 'allowedHosts'>): AppMiddleware {
  const names = hostsOf(allowedHosts)
  return async function onlyOwnPages(c, next) {
    const origin = c.req.header('origin')
    const isAllowed =
      origin === undefined ||
      corsOrigins.includes('*') ||
      corsOrigins.includes(origin) ||
      isOwn(c, origin, names)
    if (!isAllowed) {
      throw new ForeignRequestError(
        'Expected a request of no web page, or of one that may call. ' +
          "The server's setting --cors-origins adds origins.",
      )
    }
    await next()
  }
}

/** The origins that may read responses. `auto`: none but the server's own on loopback, all elsewhere. */
export const readersOf = ({
  host,
  corsOrigins,
}: Pick<ServerSettings, 'host' | 'corsOrigins'>): readonly string[] =>
  corsOrigins.flatMap((origin) => {
    if (origin !== 'auto') return [origin]
    return isLoopback(host) ? [] : ['*']
  })

/** Whether a page came from this server. A proxy may have ended its TLS, so the scheme does not count. */
function isOwn(c: AppContext, origin: string, names: ReadonlySet<string>): boolean {
  if (!URL.canParse(origin)) return false
  const { protocol, host, hostname } = new URL(origin)
  if (names.has(hostname)) return true
  const own = `${protocol}//${new URL(c.req.url).host}`
  return host !== '' && URL.canParse(own) && new URL(own).host === host
}

const hostsOf = (names: readonly string[]): ReadonlySet<string> =>
  new Set(names.filter((name) => name !== 'none').map((name) => name.toLowerCase()))
