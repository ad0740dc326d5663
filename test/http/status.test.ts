/** GET /status and the events behind it. */
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { StatusEvent } from '#synoptic/server/http/status-events.js'
import { createTestApp, healthy, post, question, until, type TestApp } from './harness.js'

async function openEvents({ app }: Pick<TestApp, 'app'>) {
  const response = await app.request('/status/events')
  expect(response.status).toBe(200)
  const reader = (response.body as ReadableStream<Uint8Array> | null)?.getReader()
  const decoder = new TextDecoder()
  let text = ''
  return {
    response,
    async next(): Promise<StatusEvent | undefined> {
      for (;;) {
        const end = text.indexOf('\n\n')
        if (end >= 0) {
          const [event, rest] = [text.slice(0, end), text.slice(end + 2)]
          text = rest
          return JSON.parse(/^data: (.*)$/m.exec(event)?.[1] ?? '') as StatusEvent
        }
        const { done = true, value } = (await reader?.read()) ?? {}
        if (done) return undefined
        text += decoder.decode(value, { stream: true })
      }
    },
    close: () => reader?.cancel(),
  }
}

const openStatus = async ({ app }: TestApp) => (await app.request('/status/events')).status

describe('GET /status/events', () => {
  it('sends the state and the metrics, again and again', async () => {
    const test = createTestApp()
    const events = await openEvents(test)
    expect(events.response.headers.get('content-type')).toMatch(/^text\/event-stream/)
    const first = await events.next()
    expect(first?.health).toEqual(healthy)
    await post(test, '/searchmodel/anime', question)
    const second = await events.next()
    expect(second?.at).toBeGreaterThan(first?.at ?? Infinity)
    expect(second?.metrics).toContain('route="/searchmodel/anime",method="POST",status="200"} 1')
    expect(second?.metrics).not.toContain('#')
    await events.close()
  })

  it('ends while the server stops', async () => {
    const health = { report: () => ({ ...healthy, status: 'stopping' as const }) }
    const events = await openEvents(createTestApp({}, { health }))
    expect((await events.next())?.health.status).toBe('stopping')
    expect(await events.next()).toBeUndefined()
  })

  it('has a limit of streams, and room again when one ends', async () => {
    const test = createTestApp()
    const streams = await Promise.all(Array.from({ length: 20 }, () => openEvents(test)))
    const refused = await test.app.request('/status/events')
    expect(refused.status).toBe(503)
    expect(refused.headers.get('retry-after')).toBe('1')
    const [first] = streams
    await first?.next()
    await first?.close()
    let again = 503
    await until('a stream has ended', () => {
      void openStatus(test).then((status) => (again = status))
      return again === 200
    })
    for (const stream of streams.slice(1)) await stream.close()
  })

  it('answers HEAD as GET, without a stream', async () => {
    const test = createTestApp()
    const named = ({ headers }: Response) =>
      ['content-type', 'cache-control', 'x-accel-buffering'].map((name) => headers.get(name))
    const heads: Response[] = []
    for (let i = 0; i < 21; i += 1) {
      heads.push(await test.app.request('/status/events', { method: 'HEAD' }))
    }
    expect(new Set(heads.map(({ status }) => status))).toEqual(new Set([200]))
    const events = await openEvents(test)
    for (const head of heads) expect(named(head)).toEqual(named(events.response))
    await events.close()
  })

  it('has room again after a minute where clients read no more', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => {
      vi.useRealTimers()
    })
    const test = createTestApp()
    const streams = await Promise.all(Array.from({ length: 20 }, () => openEvents(test)))
    let again = 503
    vi.advanceTimersByTime(59_000)
    expect(await openStatus(test)).toBe(503)
    vi.advanceTimersByTime(1000)
    vi.useRealTimers()
    await until('a stream has ended', () => {
      void openStatus(test).then((status) => (again = status))
      return again === 200
    })
    expect((await streams[0]?.next())?.health).toEqual(healthy)
    expect(await streams[0]?.next()).toBeUndefined()
  })
})

describe('GET /status', () => {
  it('is a page with a strict policy whose files are there', async () => {
    const { app } = createTestApp()
    const response = await app.request('/status')
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
    const page = await response.text()
    expect(page).not.toMatch(/<script>|<style|\son\w+=|\sstyle=|https?:|(?:href|src)="\//)
    const links = Array.from(page.matchAll(/(?:href|src)="(status\/[^"]+)"/g), ([, link]) => link)
    expect(links).toHaveLength(3)
    for (const link of links) expect((await app.request(`/${link ?? ''}`)).status).toBe(200)
  })

  it('can be taken away, alone or with the page for people', async () => {
    const paths = ['/status', '/status/status.js']
    for (const path of [...paths, '/status/events']) {
      const other = createTestApp({ enableRoutes: ['health'] }).app
      expect((await other.request(path)).status).toBe(404)
    }
    const { app } = createTestApp({ ui: 'off' })
    for (const path of paths) expect((await app.request(path)).status).toBe(404)
  })

  it.each(['/status/index.html', '/status/page.js', '/status/..%2Fcli.js', '/status/'])(
    'does not serve %s',
    async (path) => {
      expect((await createTestApp().app.request(path)).status).toBe(404)
    },
  )
})
