import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { createAdmission } from '#synoptic/server/http/admission.js'
import { createServiceTime } from '#synoptic/server/http/service-time.js'
import {
  ask,
  askUntilEncoding,
  holdEncoder,
  question,
  send,
  untilEncoding,
  withServer,
} from './harness.js'

describe('the time that one more request takes', () => {
  function at() {
    let time = 0
    const serviceTime = createServiceTime(() => time)
    const wait = (ms: number) => void (time += ms)
    return { serviceTime, wait }
  }

  it('is not known at first', () => {
    const { serviceTime } = at()
    expect(serviceTime.nextMs()).toBe(0)
    serviceTime.began()
    expect(serviceTime.nextMs()).toBe(0)
  })

  it('is that of the last ones, once for each under way and once for itself', () => {
    const { serviceTime, wait } = at()
    for (let i = 0; i < 5; i++) {
      serviceTime.began()
      wait(20)
      serviceTime.ended(true)
      wait(1000)
    }
    expect(serviceTime.nextMs()).toBeCloseTo(20)
    serviceTime.began()
    serviceTime.began()
    expect(serviceTime.nextMs()).toBeCloseTo(60)
  })

  it('follows how often one ends, not how long each took, where several run', () => {
    const { serviceTime, wait } = at()
    for (let i = 0; i < 10; i++) serviceTime.began()
    for (let i = 0; i < 200; i++) {
      // Each has been under way for a hundred, and one ends every ten.
      wait(10)
      serviceTime.ended(true)
      serviceTime.began()
    }
    expect(serviceTime.nextMs()).toBeCloseTo(110)
  })

  it('does not take what was dropped for done', () => {
    const { serviceTime, wait } = at()
    serviceTime.began()
    wait(20)
    serviceTime.ended(true)
    for (let i = 0; i < 50; i++) serviceTime.began()
    for (let i = 0; i < 50; i++) serviceTime.ended(false)
    expect(serviceTime.nextMs()).toBeCloseTo(20)
  })
})

describe('batches of some clients', () => {
  const allowedMs = 10_000
  const context = {
    get: (name: string) => ({ route: '/search/anime', allowedMs })[name as 'route'],
  } as unknown as Parameters<ReturnType<typeof createAdmission>['work']>[0]

  it('take at most half of the slots', async () => {
    const admission = createAdmission({ limit: 5, timeoutSeconds: 10 })
    const finish: (() => void)[] = []
    const begin = (size: number) =>
      admission.work(context, () => new Promise<void>((resolve) => finish.push(resolve)), size)
    const batches = Array.from({ length: 3 }, () => begin(64))
    await expect(begin(64)).rejects.toThrow('busy')
    const singles = [begin(1), begin(1)]
    await expect(begin(1)).rejects.toThrow('busy')
    for (const end of finish) end()
    await Promise.all([...batches, ...singles])
    const again = begin(64)
    finish.at(-1)?.()
    await again
  })

  it('get no single search refused, though each takes seconds', async () => {
    let time = 0
    const admission = createAdmission({ limit: 64, timeoutSeconds: 10, now: () => time })
    const finish: (() => void)[] = []
    const beginBatch = () =>
      admission.work(context, () => new Promise<void>((resolve) => finish.push(resolve)), 64)
    const batches = Array.from({ length: 4 }, beginBatch)
    for (let i = 0; i < 40; i += 1) {
      // Now and then nothing ends for a while; the search itself takes 66 ms.
      time += 500
      await admission.work(context, () => Promise.resolve((time += 66)))
    }
    for (const end of finish) end()
    await Promise.all(batches)
  })

  it('are refused themselves where they would take too long', async () => {
    let time = 0
    const admission = createAdmission({ limit: 64, timeoutSeconds: 10, now: () => time })
    await admission.work(context, () => Promise.resolve((time += 6400)), 64)
    let end = (): void => undefined
    const running = admission.work(
      context,
      () => new Promise<void>((resolve) => (end = resolve)),
      64,
    )
    await expect(admission.work(context, () => Promise.resolve(), 64)).rejects.toThrow()
    end()
    await running
  })
})

/** A server whose requests have taken a fifth of a second so far, and which is at one now. */
async function withSlowServer(
  task: (
    server: Parameters<Parameters<typeof withServer>[1]>[0],
    release: () => void,
  ) => Promise<void>,
): Promise<void> {
  let timeMs = 0
  const admission = createAdmission({ limit: 50, timeoutSeconds: 30, now: () => timeMs })
  await withServer(
    {},
    async (server) => {
      const releaseFirst = holdEncoder(server)
      const first = ask(server)
      await untilEncoding(server)
      timeMs += 200
      releaseFirst()
      expect((await first).status).toBe(200)
      const release = holdEncoder(server)
      const underWay = ask(server)
      await untilEncoding(server, 2)
      await task(server, release)
      release()
      expect((await underWay).status).toBe(200)
    },
    { admission },
  )
}

describe('a client that waits only so long', () => {
  it.each([
    ['x-envoy-expected-rq-timeout-ms', '60000'],
    ['prefer', 'respond-async, wait=60, wait=0'],
    ['prefer', 'WAIT = 60'],
  ])('%s: %s is answered in time', async (name, value) => {
    await withServer({}, async (server) => {
      expect((await ask(server, { [name]: value })).status).toBe(200)
    })
  })

  it('is refused before any work where those before it would take longer', async () => {
    await withSlowServer(async (server) => {
      const refused = await ask(server, { 'x-envoy-expected-rq-timeout-ms': '50' })
      expect(refused.status).toBe(503)
      expect(refused.headers['retry-after']).toBe('1')
      expect(JSON.parse(refused.body)).toMatchObject({
        type: 'urn:synoptic:problem:overloaded',
        detail: expect.stringContaining('the request allows 0.05 s') as string,
      })
      expect(server.world.encoder.encoded).toHaveLength(2)
    })
  })

  it.each(['0', '-1', '1.5', 'soon', '', '99999999999999'])(
    'and says %j, which is no limit, is answered when its turn comes',
    async (value) => {
      await withSlowServer(async (server, release) => {
        const headers = { 'x-envoy-expected-rq-timeout-ms': value, prefer: `wait=${value}x` }
        const waiting = ask(server, headers)
        await untilEncoding(server, 3)
        release()
        expect((await waiting).status).toBe(200)
      })
    },
  )

  it('has its work dropped when its time is up', async () => {
    await withServer({}, async (server) => {
      const release = holdEncoder(server)
      const { status, body } = await askUntilEncoding(server, {
        'x-envoy-expected-rq-timeout-ms': '100',
      })
      expect(status).toBe(503)
      expect(JSON.parse(body)).toMatchObject({
        type: 'urn:synoptic:problem:deadline-exceeded',
        detail: 'The request took longer than 0.1 s and was stopped.',
      })
      expect(server.world.encoder.aborted).toBe(1)
      release()
    })
  })
})

describe('clients that send slowly', () => {
  it('hold no slot before their body is there', async () => {
    await withServer({ limitConcurrency: 1 }, async (server) => {
      const body = JSON.stringify(question)
      const sockets = Array.from({ length: 5 }, () => {
        const socket = connect(server.address.port, '127.0.0.1')
        socket.write(
          'POST /searchmodel/anime HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n' +
            `Content-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`,
        )
        return socket
      })
      // The server says so when it has the head.
      await Promise.all(sockets.map((socket) => once(socket, 'data')))
      for (const socket of sockets) socket.write(body.slice(0, 5))
      expect((await ask(server)).status).toBe(200)
      expect((await send(server, { path: '/models' })).status).toBe(200)
      for (const socket of sockets) socket.destroy()
    })
  })
})
