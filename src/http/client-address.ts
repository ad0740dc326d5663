/** Who is asking, for the rate limit and, where that is asked for, the log. */
import { BlockList, isIP, isIPv6, SocketAddress } from 'node:net'
import type { HttpBindings } from '@hono/node-server'
import type { TrustedProxies } from '../config/schemas.js'
import type { AppContext } from './env.js'

/**
 * Answers what reads the address of a request's client: that of the socket, unless a proxy is trusted and
 * says in X-Forwarded-For whom it saw. IPv6 is written the shortest way, IPv4 within IPv6 as IPv4; empty
 * where there is no socket.
 */
export function clientAddresses(trusted: TrustedProxies): (c: AppContext) => string {
  const clientOf = typeof trusted === 'number' ? behindMany(trusted) : behindThese(trusted)
  const isTrusting = typeof trusted !== 'number' || trusted > 0
  return function clientAddress(c) {
    // Without a socket (a test that calls the app) there are no bindings at all.
    const bindings = c.env as Partial<HttpBindings> | undefined
    const socket = bindings?.incoming?.socket.remoteAddress ?? ''
    const forwarded = isTrusting ? c.req.header('x-forwarded-for') : undefined
    if (forwarded === undefined) return normal(socket)
    return normal(
      clientOf(
        socket,
        forwarded.split(',').map((seen) => seen.trim()),
      ),
    )
  }
}

/** An IPv6 client owns its whole /64, so that is what counts. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address
  const [head = '', tail] = address.split('::')
  const groups = head.split(':')
  const missing = tail === undefined ? 0 : 8 - groups.length - tail.split(':').length
  return [...groups, ...Array<string>(Math.max(missing, 0)).fill('0'), ...(tail ?? '').split(':')]
    .slice(0, 4)
    .map((group) => group || '0')
    .join(':')
}

/** @param seen what proxies say they saw, the one next to the server last */
type ClientOf = (socket: string, seen: readonly string[]) => string

/** Each proxy appends what it saw; whatever stands before that was written by the client. */
function behindMany(count: number): ClientOf {
  return (socket, seen) => {
    const address = seen.at(-count) ?? ''
    return isIP(address) > 0 ? address : socket
  }
}

/** From the server outwards, the first address that is no proxy's: nobody who is not trusted has written it. */
function behindThese(addresses: readonly string[]): ClientOf {
  const proxies = new BlockList()
  for (const word of addresses) {
    const [address = '', prefix] = word.split('/')
    if (prefix === undefined) proxies.addAddress(address, familyOf(address))
    else proxies.addSubnet(address, Number(prefix), familyOf(address))
  }
  const isProxy = (address: string) =>
    isIP(address) > 0 && proxies.check(address, familyOf(address))
  return (socket, seen) => {
    let client = socket
    for (const next of seen.toReversed()) {
      if (!isProxy(client) || isIP(next) === 0) break
      client = next
    }
    return client
  }
}

const familyOf = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4')

function normal(address: string): string {
  if (!isIPv6(address)) return address
  const shortest = new SocketAddress({ address, family: 'ipv6' }).address
  return /^::ffff:(\d+(?:\.\d+){3})$/.exec(shortest)?.[1] ?? shortest
}
