import { connect, createServer, type AddressInfo } from 'node:net'
import { once } from 'node:events'
import { createYield, yieldToEventLoop } from '#synoptic/native/scheduling/yield-to-event-loop.js'
import { expect, it } from 'vitest'

it('lets callers go on in the order of their calls', async () => {
  const order: number[] = []
  await Promise.all(
    Array.from({ length: 50 }, async (_, caller) => {
      await yieldToEventLoop()
      order.push(caller)
    }),
  )
  expect(order).toEqual([...Array(50).keys()])
})

it('lets a caller go on again, and others that come meanwhile', async () => {
  const order: string[] = []
  const twice = async () => {
    await yieldToEventLoop()
    order.push('first')
    await yieldToEventLoop()
    order.push('again')
  }
  await Promise.all([twice(), yieldToEventLoop().then(() => order.push('other'))])
  expect(order).toEqual(['first', 'other', 'again'])
})

it.each([
  ['one an iteration', yieldToEventLoop],
  ['many an iteration, within its time', createYield(1)],
])('answers a socket before all callers have gone on: %s', async (_, pause) => {
  const server = createServer((socket) => socket.pipe(socket)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  await once(socket, 'connect')
  let done = 0
  const work = Array.from({ length: 500 }, async () => {
    await pause()
    const endMs = performance.now() + 1
    while (performance.now() < endMs);
    done += 1
  })
  socket.write('ping')
  await once(socket, 'data')
  expect(done).toBeLessThan(500)
  await Promise.all(work)
  socket.destroy()
  server.close()
})
