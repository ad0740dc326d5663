import { describe, expect, it } from 'vitest'
import type { TrustedProxies } from '#synoptic/base/config/schemas.js'
import { networkOf } from '#synoptic/server/http/limits/client-address.js'
import { ask, send, withServer } from '../harness.js'

describe('the address that is counted', () => {
  const statuses = (trustProxy: TrustedProxies, addresses: readonly string[]) =>
    withServer(
      { rateLimitLoopback: true, rateLimit: { searchmodel: 1 }, rateBurst: 1, trustProxy },
      async (server) => {
        const seen: number[] = []
        for (const address of addresses) {
          seen.push((await ask(server, { 'x-forwarded-for': address })).status)
        }
        return seen
      },
    )

  it('is the socket, whatever the client writes into X-Forwarded-For', async () => {
    expect(await statuses(0, ['1.1.1.1', '2.2.2.2'])).toEqual([200, 429])
  })

  it('is what the proxy saw, where one is trusted', async () => {
    expect(await statuses(1, ['1.1.1.1', '2.2.2.2', '1.1.1.1'])).toEqual([200, 200, 429])
    expect(await statuses(1, ['9.9.9.9, 1.1.1.1', '8.8.8.8, 1.1.1.1'])).toEqual([200, 429])
    expect(await statuses(2, ['1.1.1.1, 7.7.7.7', '1.1.1.1, 6.6.6.6'])).toEqual([200, 429])
  })

  it('is the first from the right that is no trusted proxy, where the setting has their addresses', async () => {
    // The tests' own address is the proxy next to the server.
    const trusted = ['127.0.0.1', '10.0.0.0/8', '2001:db8:ffff::/48']
    const seen = (...addresses: string[]) => statuses(trusted, addresses)
    expect(await seen('1.1.1.1', '2.2.2.2', '1.1.1.1')).toEqual([200, 200, 429])
    expect(await seen('9.9.9.9, 1.1.1.1', '8.8.8.8, 1.1.1.1')).toEqual([200, 429])
    expect(await seen('1.1.1.1, 10.1.2.3', '1.1.1.1,10.9.9.9, 10.0.0.1', '1.1.1.1')).toEqual([
      200, 429, 429,
    ])
    expect(await seen('1.1.1.1, ::ffff:10.1.2.3', '::ffff:101:101, 2001:DB8:FFFF:0::1')).toEqual([
      200, 429,
    ])
    // Only proxies: the outermost of them is the client.
    expect(await seen('10.0.0.1, 10.0.0.2', '10.0.0.1, 10.0.0.3')).toEqual([200, 429])
  })

  it('is the socket, or the proxy, where no address that is trusted says more', async () => {
    expect(await statuses(['10.0.0.0/8'], ['1.1.1.1', '2.2.2.2'])).toEqual([200, 429])
    expect(await statuses(['127.0.0.0/8'], ['unknown', '', '1.1.1.1, x'])).toEqual([200, 429, 429])
    expect(await statuses(['::ffff:127.0.0.1'], ['1.1.1.1', '2.2.2.2'])).toEqual([200, 200])
    const behindJunk = ['1.1.1.1, junk, 10.0.0.1', '2.2.2.2, junk, 10.0.0.1']
    expect(await statuses(['127.0.0.1', '10.0.0.0/8'], behindJunk)).toEqual([200, 429])
  })

  it('is the socket where the header holds no address', async () => {
    expect(await statuses(1, ['unknown', 'nonsense'])).toEqual([200, 429])
  })

  it('is one for all addresses of an IPv6 network', async () => {
    const list = ['2001:db8:1:2::1', '2001:0DB8:1:2:ffff::9', '2001:db8:1:3::1']
    expect(await statuses(1, list)).toEqual([200, 429, 200])
    expect(await statuses(1, ['::1', '0:0:0:0:0:0:0:1'])).toEqual([200, 429])
    expect(await statuses(1, ['::ffff:1.1.1.1', '1.1.1.1', '::ffff:1.1.1.2'])).toEqual([
      200, 429, 200,
    ])
    expect(await statuses(1, ['::FFFF:101:101', '1.1.1.1'])).toEqual([200, 429])
  })

  it('is counted for a request that is refused later', async () => {
    await withServer(
      { rateLimitLoopback: true, rateLimit: { searchmodel: 1 }, rateBurst: 1 },
      async (server) => {
        const refusedBefore = await send(server, { method: 'POST', path: '/searchmodel/anime' })
        expect(refusedBefore.status).toBe(415)
        expect((await ask(server)).status).toBe(429)
      },
    )
  })

  const isCountedAs = async (entry: string, address: string) =>
    (await statuses(1, [entry, address]))[1] === 429

  it.each([
    ['192.0.2.1:4711', '192.0.2.1'],
    ['[2001:db8:1:2::1]:443', '2001:db8:1:2::1'],
    ['[2001:db8:1:2::1]', '2001:db8:1:2::1'],
    ['[::ffff:192.0.2.1]:80', '192.0.2.1'],
    ['192.0.2.1:0', '192.0.2.1:65535'],
  ])('is that of %s without its port', async (entry, address) => {
    expect(await isCountedAs(entry, address)).toBe(true)
    expect(await isCountedAs('192.0.2.99', address)).toBe(false)
  })

  // An entry that is no address counts as the socket, which is 127.0.0.1 here.
  it.each([
    '192.0.2.1:65536',
    '192.0.2.1:',
    '192.0.2.1:http',
    '192.0.2.256:80',
    '192.0.2:80',
    '1',
    '0x7f.1',
    '[192.0.2.1]:80',
    '[2001:db8::1]:99999',
    '[2001:db8::1',
    '2001:db8::1]:80',
    '[]:80',
    ':80',
    '2001:db8::1::2',
  ])('is the socket where the entry is %s', async (entry) => {
    expect(await isCountedAs(entry, '127.0.0.1')).toBe(true)
  })

  it('is found behind proxies that write ports', async () => {
    const trusted = ['127.0.0.1', '10.0.0.0/8', '::ffff:172.16.0.0/108']
    const seen = (...addresses: string[]) => statuses(trusted, addresses)
    expect(await seen('1.1.1.1:5, 10.1.2.3:80', '9.9.9.9, 1.1.1.1:6, 10.9.9.9')).toEqual([200, 429])
    expect(await seen('1.1.1.1, 172.16.1.1:80', '1.1.1.1')).toEqual([200, 429])
    expect(await seen('1.1.1.1, 172.32.1.1:80', '1.1.1.1')).toEqual([200, 200])
  })
})

describe('the network of an address', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '::ffff:192.0.2.1'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    ['', ''],
    ['no address', 'no address'],
  ])('%s is %s', (address, network) => {
    expect(networkOf(address)).toBe(network)
  })
})
