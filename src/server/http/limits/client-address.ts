/** Which client sent a request: for the rate limit and, where `--log-queries` wants it, the log. */
import { isIP } from 'node:net'
import ipaddr, { type IPv4, type IPv6 } from 'ipaddr.js'
import type { TrustedProxies } from '../../../base/config/schemas.js'
import { bindingsOf, type AppContext } from '../env.js'

type Address = IPv4 | IPv6

/**
 * Returns a function that reads the address of a request's client: that of the socket, unless a trusted
 * proxy names another one in X-Forwarded-For. An address has one spelling: IPv6 in its shortest form, IPv4
 * within IPv6 as IPv4. It is empty where there is no socket.
 */
export function clientAddresses(trusted: TrustedProxies): (c: AppContext) => string {
  const clientOf = typeof trusted === 'number' ? behindHops(trusted) : behindProxies(trusted)
  const isTrusting = typeof trusted !== 'number' || trusted > 0
  return function clientAddress(c) {
    const socket = parseAddress(bindingsOf(c).incoming?.socket.remoteAddress ?? '')
    if (socket === undefined) return ''
    const forwarded = isTrusting ? c.req.header('x-forwarded-for') : undefined
    if (forwarded === undefined) return socket.toString()
    const entries = forwarded.split(',').map((entry) => parseForwarded(entry.trim()))
    return clientOf(socket, entries).toString()
  }
}

/** Whether a request comes from a program on this machine, and no proxy passed it on. */
export function isFromThisMachine(c: AppContext): boolean {
  const socket = parseAddress(bindingsOf(c).incoming?.socket.remoteAddress ?? '')
  const isPassedOn = forwardingHeaders.some((name) => c.req.header(name) !== undefined)
  return socket?.range() === 'loopback' && !isPassedOn
}

/** What proxies add, whether or not the server trusts them. */
const forwardingHeaders = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via']

/** An IPv6 client owns its whole /64, so all addresses of that count as one. */
export function networkOf(address: string): string {
  const parsed = parseAddress(address)
  if (parsed === undefined || isIPv4(parsed)) return address
  return parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')
}

/** @param entries of X-Forwarded-For, the one that the nearest proxy wrote last; undefined where it is not an address */
type ClientOf = (socket: Address, entries: readonly (Address | undefined)[]) => Address

/** Each proxy appends the address that it saw; the client may have written all entries before those. */
function behindHops(count: number): ClientOf {
  return (socket, entries) => entries.at(-count) ?? socket
}

/** From the server outwards, the first address that is not a trusted proxy's; only trusted proxies have written it. */
function behindProxies(words: readonly string[]): ClientOf {
  const isProxy = networksOf(words)
  return (socket, entries) => {
    let client = socket
    for (const next of entries.toReversed()) {
      if (next === undefined || !isProxy(client)) break
      client = next
    }
    return client
  }
}

/** Whether an address is one of those, or in one of those networks; `none` holds no address. */
export function addressesIn(words: readonly string[]): (address: string) => boolean {
  const isIn = networksOf(words.filter((word) => word !== 'none'))
  return (address) => {
    const parsed = parseAddress(address)
    return parsed !== undefined && isIn(parsed)
  }
}

function networksOf(words: readonly string[]): (address: Address) => boolean {
  const networks = words.map(parseNetwork)
  return (address) =>
    networks.some(([network, prefix]) => {
      return address.kind() === network.kind() && address.match(network, prefix)
    })
}

/** An address or a network of `--trust-proxy` or `--rate-exempt`, which has been checked. */
function parseNetwork(word: string): [network: Address, prefix: number] {
  const [text = '', prefix] = word.split('/')
  const address = ipaddr.parse(text)
  const bits = prefix === undefined ? address.toByteArray().length * 8 : Number(prefix)
  const isMapped = !isIPv4(address) && address.isIPv4MappedAddress()
  return isMapped && bits >= mappedBits
    ? [address.toIPv4Address(), bits - mappedBits]
    : [address, bits]
}

/** Bits before the IPv4 address in `::ffff:1.2.3.4`. */
const mappedBits = 96

const isIPv4 = (address: Address): address is IPv4 => address.kind() === 'ipv4'

/** IPv4 within IPv6 is returned as IPv4. Node's check comes first: ipaddr.js takes `1` and `0x7f.1` too. */
const parseAddress = (text: string): Address | undefined =>
  isIP(text) > 0 ? ipaddr.process(text) : undefined

/** `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1`, `[2001:db8::1]` or `[2001:db8::1]:80`. */
function parseForwarded(entry: string): Address | undefined {
  const withPort = /^(?:\[(?<v6>[^\]]+)\](?::(?<port6>\d+))?|(?<v4>[\d.]+):(?<port4>\d+))$/.exec(
    entry,
  )
  if (withPort === null) return parseAddress(entry)
  const { v6, port6, v4 = '', port4 } = withPort.groups ?? {}
  if (Number(port6 ?? port4 ?? 0) > maxPort) return undefined
  const address = parseAddress(v6 ?? v4)
  return v6 !== undefined && isIP(v6) !== 6 ? undefined : address
}

const maxPort = 65_535
