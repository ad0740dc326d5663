import { once } from 'node:events'
import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { listen, type HttpServer } from '#synoptic/server/http/server.js'
import {
  ask,
  askUntilEncoding,
  createTestApp,
  holdEncoder,
  question,
  send,
  sendBytes,
  until,
  untilEncoding,
  withServer,
} from './harness.js'

const jsonPost = { method: 'POST', path: '/searchmodel/anime' } as const
const json = { 'content-type': 'application/json' }
const body = JSON.stringify(question)
const post =
  'POST /searchmodel/anime HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n' +
  `Content-Length: ${body.length}\r\n\r\n${body}`

describe('a body', () => {
  it('that comes in chunks is read, and counted', async () => {
    await withServer({}, async (server) => {
      const chunked = { ...jsonPost, headers: { ...json, 'transfer-encoding': 'chunked' } }
      const read = await send(server, { ...chunked, body: JSON.stringify(question) })
      expect(read.status).toBe(200)
      const refused = await send(server, { ...chunked, body: 'x'.repeat(1_100_000) })
      expect(refused.status).toBe(413)
      expect(JSON.parse(refused.body)).toMatchObject({
        type: 'urn:synoptic:problem:payload-too-large',
      })
    })
  })

  it('that announces too much is refused before it is sent', async () => {
    await withServer({}, async (server) => {
      const socket = connect(server.address.port, '127.0.0.1')
      socket.write(
        'POST /searchmodel/anime HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n' +
          'Content-Length: 99999999\r\n\r\n{',
      )
      const [head] = (await once(socket, 'data')) as [Buffer]
      expect(head.toString()).toContain('HTTP/1.1 413 Payload Too Large')
      socket.destroy()
    })
  })

  it('that is all the bytes a setting allows is read', async () => {
    await withServer({ bodyLimit: 2048 }, async (server) => {
      const pad = (size: number) => {
        const body = JSON.stringify(question)
        return body + ' '.repeat(size - body.length)
      }
      for (const headers of [json, { ...json, 'transfer-encoding': 'chunked' }]) {
        const statusOf = async (size: number) =>
          (await send(server, { ...jsonPost, headers, body: pad(size) })).status
        expect([await statusOf(2048), await statusOf(2049)]).toEqual([200, 413])
      }
    })
  })
})

describe('bytes that are no request', () => {
  it.each([
    ['nonsense', 'nonsense\r\n\r\n', 400],
    ['an HTTP version that is none', 'GET / HTTP/9.9\r\n\r\n', 400],
    [
      'two lengths',
      'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
      400,
    ],
    ['no Host', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    ['a Host that is none', 'GET / HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n', 400],
    [
      'a backslash in the path',
      'GET /\\x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
      400,
    ],
    [
      'two Hosts',
      'GET /livez HTTP/1.1\r\nHost: localhost\r\nhost: b\r\nConnection: close\r\n\r\n',
      400,
    ],
    [
      'an expectation of something else',
      'GET /livez HTTP/1.1\r\nHost: localhost\r\nExpect: 200-ok\r\nConnection: close\r\n\r\n',
      417,
    ],
    [
      'a transfer coding that is not decoded',
      'POST /searchmodel/anime HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n' +
        'Transfer-Encoding: gzip, chunked\r\nConnection: close\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
      501,
    ],
    ['CONNECT', 'CONNECT example.org:443 HTTP/1.1\r\nHost: localhost\r\n\r\n', 405],
    [
      'endless headers',
      `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
      431,
    ],
  ])('%s', async (_, bytes, status) => {
    await withServer({}, async (server) => {
      const answer = await sendBytes(server, bytes)
      expect(answer).toContain(`HTTP/1.1 ${status} `)
      expect(answer.toLowerCase()).toContain('content-type: application/problem+json')
      const [, requestId = 'none'] = /^X-Request-Id: (.*)\r$/im.exec(answer) ?? []
      expect(answer).toContain(`"requestId":"${requestId}"`)
      expect((await ask(server)).status).toBe(200)
    })
  })

  it('OPTIONS * lists the methods of the server', async () => {
    await withServer({}, async (server) => {
      const answer = await sendBytes(
        server,
        'OPTIONS * HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
      )
      expect(answer).toContain('HTTP/1.1 204 ')
      expect(answer).toContain('Allow: GET, HEAD, POST, OPTIONS\r\n')
    })
  })

  it('HTTP/1.0 without a Host is served', async () => {
    await withServer({}, async (server) => {
      expect(await sendBytes(server, 'GET /livez HTTP/1.0\r\n\r\n')).toContain('200 OK')
    })
  })

  it('a client that does not finish its request is sent away', async () => {
    await withServer({ requestTimeout: 0.1 }, async (server) => {
      const answer = await sendBytes(server, 'GET / HTTP/1.1\r\nHost: localhost\r\n')
      expect(answer).toContain('HTTP/1.1 408 Request Timeout')
      expect(answer).toContain('urn:synoptic:problem:slow-request')
    })
  })
})

describe('--limit-concurrency', () => {
  it('refuses searches while every slot is taken, and serves health', async () => {
    await withServer({ limitConcurrency: 3 }, async (server) => {
      const release = holdEncoder(server)
      const served = [ask(server), ask(server), ask(server)]
      await untilEncoding(server, 3)
      const refused = await ask(server)
      expect(refused.status).toBe(503)
      expect(refused.headers['retry-after']).toBe('1')
      expect(JSON.parse(refused.body)).toMatchObject({ type: 'urn:synoptic:problem:overloaded' })
      expect((await send(server, { path: '/livez' })).status).toBe(200)
      release()
      expect((await Promise.all(served)).map(({ status }) => status)).toEqual([200, 200, 200])
      expect((await ask(server)).status).toBe(200)
    })
  })

  it('frees the slot after a refusal of any kind', async () => {
    await withServer({ limitConcurrency: 1 }, async (server) => {
      for (const body of ['', '{}', 'x'.repeat(100_000)]) {
        const { status } = await send(server, { ...jsonPost, headers: json, body })
        expect([400, 413]).toContain(status)
      }
      expect((await ask(server)).status).toBe(200)
    })
  })
})

describe('a request that takes too long', () => {
  it('is answered at the deadline, and its work is aborted', async () => {
    await withServer({ requestTimeout: 0.2 }, async (server) => {
      const release = holdEncoder(server)
      const answer = await askUntilEncoding(server)
      expect(answer.status).toBe(503)
      expect(JSON.parse(answer.body)).toMatchObject({
        type: 'urn:synoptic:problem:deadline-exceeded',
        detail: 'The request took longer than 0.2 s and was stopped.',
      })
      expect(server.world.encoder.aborted).toBe(1)
      release()
    })
  })
})

describe('a pipeline', () => {
  it('gets its responses in order', async () => {
    await withServer({}, async (server) => {
      const last = 'GET /livez HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'
      const answer = await sendBytes(
        server,
        `${post}GET /none HTTP/1.1\r\nHost: localhost\r\n\r\n${last}`,
      )
      const statuses = [...answer.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)
      expect(statuses).toEqual(['200', '404', '200'])
    })
  })

  it('ends with its client: what has not had its turn never begins', async () => {
    await withServer({}, async (server) => {
      const { encoder } = server.world
      const release = holdEncoder(server)
      const socket = connect(server.address.port, '127.0.0.1')
      socket.write(post.repeat(3))
      await untilEncoding(server)
      socket.destroy()
      await until('the work is aborted', () => encoder.aborted > 0)
      release()
      expect((await ask(server)).status).toBe(200)
      expect(encoder.encoded.length).toBe(2)
    })
  })
})

describe('a client that leaves', () => {
  it('aborts its work, frees its slot and is logged as gone', async () => {
    await withServer({ limitConcurrency: 1 }, async (server) => {
      const release = holdEncoder(server)
      const outgoing = request({ port: server.address.port, ...jsonPost, headers: json })
      outgoing.on('error', () => undefined)
      outgoing.end(JSON.stringify(question))
      await untilEncoding(server)
      outgoing.destroy()
      await until('the log has it', () =>
        server.log.some(({ problem }) => problem === 'client-gone'),
      )
      expect(server.world.encoder.aborted).toBe(1)
      expect(server.log.filter(({ level }) => level === 50)).toEqual([])
      release()
      expect((await ask(server)).status).toBe(200)
    })
  })
})

describe('a client that leaves in the middle of its body', () => {
  it.each(['Content-Length: 5000', 'Transfer-Encoding: chunked'])(
    'is logged as gone, not as a failure of the server (%s)',
    async (header) => {
      await withServer({}, async (server) => {
        const socket = connect(server.address.port, '127.0.0.1')
        const head = `POST /searchmodel/anime HTTP/1.1\r\nHost: localhost\r\n${header}\r\n`
        socket.write(`${head}Content-Type: application/json\r\nExpect: 100-continue\r\n\r\n`)
        // It says so when it has the head.
        await once(socket, 'data')
        socket.write('5\r\n{"mod\r\n', () => socket.resetAndDestroy())
        await until('the log has a line', () => server.log.length > 0)
        await sleep(50)
        expect(server.log).toMatchObject([{ problem: 'client-gone', status: 499 }])
      })
    },
  )
})

/** A connection that the server has accepted, and that has sent nothing. */
async function openConnection(server: HttpServer) {
  const socket = connect(server.address.port, '127.0.0.1').setEncoding('utf8')
  await once(socket, 'connect')
  // Connections are accepted in turn.
  await send(server, { path: '/livez' })
  return socket
}

async function untilClosed(socket: Socket): Promise<string> {
  let text = ''
  socket.on('data', (bytes: string) => (text += bytes))
  await once(socket, 'close')
  return text
}

describe('stopping', () => {
  it('lets requests finish, takes no new ones and closes idle connections', async () => {
    const test = createTestApp()
    const server = await listen(test.app, test.settings)
    const release = holdEncoder(test)
    const idle = connect(server.address.port, '127.0.0.1')
    idle.write('GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await once(idle, 'data')
    const served = ask(server)
    await untilEncoding(test)
    const stopped = server.stop(600_000)
    await once(idle, 'close')
    await expect(ask(server)).rejects.toThrow('ECONNREFUSED')
    release()
    const answer = await served
    expect(answer.status).toBe(200)
    expect(answer.headers.connection).toBe('close')
    await stopped
  })

  it('serves on while it drains, and ends each connection with its response', async () => {
    await withServer({}, async (server) => {
      const open = await openConnection(server)
      server.drain()
      open.write(post)
      const answer = await untilClosed(open)
      expect(answer).toContain('HTTP/1.1 200 OK')
      expect(answer).toMatch(/^connection: close\r$/im)
      const next = await ask(server)
      expect(next.status).toBe(200)
      expect(next.headers.connection).toBe('close')
    })
  })

  it.each([
    ['a search', post],
    ['a probe', 'GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['what HTTP forbids', 'GET /livez HTTP/1.1\r\n\r\n'],
  ])('refuses %s that it has not begun as safe to send again', async (_, bytes) => {
    const test = createTestApp()
    const server = await listen(test.app, test.settings)
    const open = await openConnection(server)
    const stopped = server.stop(600_000)
    open.write(bytes)
    const answer = await untilClosed(open)
    expect(answer).toContain('HTTP/1.1 503 Service Unavailable')
    expect(answer).toMatch(/^retry-after: 0\r$/im)
    expect(answer).toMatch(/^connection: close\r$/im)
    expect(answer).toContain('"type":"urn:synoptic:problem:stopping"')
    // Nothing has begun since.
    expect(test.log).toMatchObject([{ path: '/livez', status: 200 }])
    await stopped
  })

  it.each<[string, RegExp, object]>([
    [
      'POST /v1/embeddings',
      /./,
      { error: { type: 'server_error', code: 'stopping', param: null } },
    ],
    ['GET /v1/models?a=b', /./, { error: { type: 'server_error', code: 'stopping', param: null } }],
    ['POST /v2/rerank', /stopping/, { id: expect.any(String) as string }],
    ['POST /embed', /./, { error_type: 'Overloaded', error: expect.any(String) as string }],
    ['POST /search/anime', /./, { status: 503, type: 'urn:synoptic:problem:stopping' }],
  ])('refuses %s in the shape that its clients read', async (start, text, body) => {
    const test = createTestApp()
    const server = await listen(test.app, test.settings)
    const open = await openConnection(server)
    const stopped = server.stop(600_000)
    open.write(`${start} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n`)
    const answer = await untilClosed(open)
    expect(answer).toContain('HTTP/1.1 503 Service Unavailable')
    expect(answer).toMatch(/^retry-after: 0\r$/im)
    expect(answer).toMatch(text)
    expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toMatchObject(body)
    await stopped
  })

  it('does not wait for connections that have sent nothing, as browsers open them ahead', async () => {
    const test = createTestApp()
    const server = await listen(test.app, test.settings)
    const unused = connect(server.address.port, '127.0.0.1')
    const closed = once(unused, 'close')
    await once(unused, 'connect')
    const stopped = server.stop(600_000)
    await closed
    await stopped
  })

  it('cuts off what does not finish in time', async () => {
    const test = createTestApp()
    const server = await listen(test.app, test.settings)
    const release = holdEncoder(test)
    const served = ask(server)
    served.catch(() => undefined)
    await untilEncoding(test)
    await server.stop(50)
    await expect(served).rejects.toThrow()
    release()
  })
})

describe('listening', () => {
  it('rejects where the port is taken', async () => {
    await withServer({}, async ({ address }) => {
      const test = createTestApp({ port: address.port })
      await expect(listen(test.app, test.settings)).rejects.toThrow(
        'is in use; choose another with --port',
      )
    })
  })

  it('keeps connections open for --timeout', async () => {
    await withServer({ timeout: 7 }, async (server) => {
      const socket = connect(server.address.port, '127.0.0.1')
      socket.write('GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n')
      const [answer] = (await once(socket, 'data')) as [Buffer]
      expect(answer.toString()).toContain('Keep-Alive: timeout=7')
      socket.destroy()
    })
  })
})
