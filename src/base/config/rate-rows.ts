/** Rows of the settings table: how many requests a client may send, who the client is, and how proxies ask for it. */
import {
  integer,
  networksOrNone,
  onOrOff,
  rates,
  redisUrlOrMemory,
  trustedProxies,
} from './schemas.js'
import { row } from './setting.js'

export const rateRows = {
  rateLimit: row(
    rates,
    1,
    '<n>',
    'Requests per second from one client address on /searchmodel. 0 means no limit. A list sets limits ' +
      'by route group, such as searchmodel=1,search=0.5.',
  ),
  rateBurst: row(
    integer(1, 1_000_000),
    1,
    '<n>',
    'Requests that a client may send at once, in each route group. The time to wait grows with them.',
  ),
  rateLimitLoopback: row(
    onOrOff,
    false,
    '',
    'Whether --rate-limit counts clients on this machine (127.0.0.1, ::1) too.',
  ),
  rateExempt: row(
    networksOrNone,
    'none',
    '<who>',
    'Clients that --rate-limit does not count: their addresses and networks, such as ' +
      '192.0.2.1,10.0.0.0/8.',
  ),
  rateStore: row(
    redisUrlOrMemory,
    'memory',
    '<where>',
    'Where --rate-limit keeps its counts: memory, or redis://host:port to share them among servers.',
  ),
  trustProxy: row(
    trustedProxies,
    0,
    '<who>',
    'Proxies whose X-Forwarded-For the server trusts: their addresses and networks, such as ' +
      '10.0.0.0/8,::1, or the number of proxies in front of the server.',
  ),
  h2c: row(
    onOrOff,
    false,
    '',
    'Whether the port also accepts HTTP/2 without TLS (prior knowledge), for proxies configured for it.',
  ),
} as const
