/** Who is asking, for the rate limit. */
import { isIP, isIPv6 } from 'node:net'
import type { HttpBindings } from '@hono/node-server'
import type { AppContext } from './env.js'

/**
 * The address of the socket, or where `trustProxy` proxies stand in front the one that the outermost of
 * them saw. An IPv6 client owns its whole /64, so that is what counts.
 */
export function clientAddress(c: AppContext, trustProxy: number): string {
  // Without a socket (a test that calls the app) there are no bindings at all.
  const bindings = c.env as Partial<HttpBindings> | undefined
  const socket = bindings?.incoming?.socket.remoteAddress ?? ''
  const forwarded = trustProxy > 0 ? c.req.header('x-forwarded-for') : undefined
  // Each proxy appends what it saw; whatever stands before that was written by the client.
  const seen = forwarded?.split(',').at(-trustProxy)?.trim() ?? ''
  return network(isIP(seen) ? seen : socket)
}

function network(address: string): string {
  if (address.startsWith('::ffff:')) return address.slice('::ffff:'.length)
  if (!isIPv6(address)) return address
  const [head = '', tail] = address.split('::')
  const groups = head.split(':')
  const missing = tail === undefined ? 0 : 8 - groups.length - tail.split(':').length
  return [...groups, ...Array<string>(Math.max(missing, 0)).fill('0'), ...(tail ?? '').split(':')]
    .slice(0, 4)
    .map((group) => group || '0')
    .join(':')
}
