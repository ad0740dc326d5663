import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { closed } from '../helpers/sockets.js'
import { readMetrics, sumOf } from '../observability/text.js'
import { ask, deathNote } from '../serve/child.js'
import { until } from '../serve/load.js'
import { logOf, openScene, withoutSearch, type Scene } from './scene.js'

const head =
  'POST /searchmodel/anime HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n' +
  'Content-Length: 100\r\n\r\n'

/** Sockets that have sent as much of a request. */
async function openSockets({ origin }: Scene, count: number, bytes: string): Promise<Socket[]> {
  const { hostname, port } = new URL(origin)
  const sockets = Array.from({ length: count }, () => connect(Number(port), hostname))
  for (const socket of sockets) socket.on('error', () => undefined)
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  for (const socket of sockets) if (bytes !== '') socket.write(bytes)
  return sockets
}

const halves = [
  ['say nothing', ''],
  ['send half of a head', 'POST /searchmodel/anime HTTP/1.1\r\nHost: localhost\r\n'],
  ['send a head and half of a body', `${head}{"model":"buil`],
] as const

const isServed = async ({ origin }: Scene) => (await ask(origin, deathNote)).status === 200

describe('clients that never finish', () => {
  it.each(halves)('and %s keep nobody out', async (_, bytes) => {
    const server = await openScene([
      ...withoutSearch,
      '--limit-concurrency',
      '4',
      '--request-timeout',
      '600',
    ])
    const sockets = await openSockets(server, 60, bytes)
    for (let i = 0; i < 5; i++) expect(await isServed(server)).toBe(true)
    for (const socket of sockets) {
      expect(socket.closed).toBe(false)
      socket.destroy()
    }
    expect(await server.stop()).toBe(0)
  })

  it.each(halves.slice(1))('and %s are sent away', async (_, bytes) => {
    const server = await openScene([...withoutSearch, '--request-timeout', '1'])
    const sockets = await openSockets(server, 60, bytes)
    await Promise.all(sockets.map((socket) => closed(socket.resume())))
    await until(() => isServed(server))
    expect(await server.stop()).toBe(0)
  })

  it('and drip a byte now and then are sent away all the same', async () => {
    const server = await openScene([...withoutSearch, '--request-timeout', '1'])
    const sockets = await openSockets(server, 20, head)
    const drip = setInterval(() => {
      for (const socket of sockets) if (socket.writable) socket.write(' ')
    }, 200)
    await Promise.all(sockets.map((socket) => closed(socket.resume())))
    clearInterval(drip)
    await until(() => isServed(server))
    expect(await server.stop()).toBe(0)
  })
})

describe('clients that leave', () => {
  it('have their work dropped, which is counted', async () => {
    const server = await openScene(withoutSearch)
    const body = JSON.stringify(deathNote)
    const whole = `${head.replace('100', String(Buffer.byteLength(body)))}${body}`
    const gone = async () => {
      const text = await (await fetch(`${server.origin}/metrics`)).text()
      return sumOf(readMetrics(text), 'synoptic_problems_total', { problem: 'client-gone' })
    }
    // Some leave before the server has read their request, and some after its answer.
    for (let waitMs = 0; (await gone()) === 0; waitMs = (waitMs + 1) % 20) {
      const sockets = await openSockets(server, 20, whole)
      await sleep(waitMs)
      for (const socket of sockets) socket.resetAndDestroy()
    }
    expect((await ask(server.origin, deathNote)).status).toBe(200)
    expect(logOf(server)).not.toContain('"level":50')
    expect(await server.stop()).toBe(0)
  })
})
