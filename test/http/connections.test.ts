/** What a connection gets other than whole requests: garbage, and half of a close. */
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { MalformedRequestError } from '#synoptic/base/errors/index.js'
import { createConnections } from '#synoptic/server/http/connections.js'
import { closed } from '../helpers/sockets.js'
import { holdEncoder, question, sendBytes, until, untilEncoding, withServer } from './harness.js'

const body = JSON.stringify(question)
const post =
  'POST /searchmodel/anime HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n' +
  `Content-Length: ${body.length}\r\n\r\n${body}`

describe('garbage behind a request', () => {
  const statusesOf = (answer: string) =>
    [...answer.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)

  it('is refused after the response of a search under way', async () => {
    await withServer({}, async (server) => {
      const release = holdEncoder(server)
      const pending = sendBytes(server, `${post}\0garbage\r\n\r\n`)
      await untilEncoding(server)
      await sleep(50)
      release()
      const answer = await pending
      expect(statusesOf(answer)).toEqual(['200', '400'])
      expect(answer).toContain('"pagination"')
    })
  })

  it('is not in the middle of a response', async () => {
    await withServer({}, async (server) => {
      const get = 'GET /openapi.json HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n\r\n'
      const whole = await sendBytes(
        server,
        get.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'),
      )
      const answer = await sendBytes(server, `${get}\0garbage\r\n\r\n`)
      const [first = '', second] = answer.split(/(?=HTTP\/1\.1 )/)
      expect(first.split('\r\n\r\n')[1]).toBe(whole.split('\r\n\r\n')[1])
      expect(second).toContain('400 Bad Request')
      expect(statusesOf(answer).at(-1)).toBe('400')
    })
  })

  it('in a body takes the place of the response', async () => {
    await withServer({}, async (server) => {
      const broken = post.replace(/Content-Length: .*/s, 'Transfer-Encoding: chunked\r\n\r\nzz\r\n')
      expect(statusesOf(await sendBytes(server, broken))).toEqual(['400'])
      expect(statusesOf(await sendBytes(server, `${post}${broken}`))).toEqual(['200', '400'])
    })
  })
})

describe('a client that closes its sending side only', () => {
  it('has left: its work is dropped', async () => {
    await withServer({}, async (server) => {
      const release = holdEncoder(server)
      const { port } = server.address
      const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
      socket.resume().write(post)
      await untilEncoding(server)
      socket.end()
      await until('the work is aborted', () => server.world.encoder.aborted > 0)
      release()
    })
  })

  it('does not keep the connection after a refusal', async () => {
    const server = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    const [socket] = (await once(server, 'connection')) as [Socket]
    createConnections().refuse(new MalformedRequestError(), socket)
    const [refusal] = (await once(client, 'data')) as [Buffer]
    expect(refusal.toString()).toContain('HTTP/1.1 400 ')
    await closed(socket.resume())
    client.destroy()
    server.close()
  })
})
