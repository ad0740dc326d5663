import { describe, expect, it } from 'vitest'
import { readMetrics, sumOf } from '../observability/text.js'
import { createTestApp, post, question, type TestApp } from './harness.js'

const samplesOf = async ({ app }: TestApp) =>
  readMetrics(await (await app.request('/metrics')).text())

describe('GET /metrics', () => {
  it('counts requests by route, method and status', async () => {
    const test = createTestApp()
    await post(test, '/searchmodel/anime', question)
    await post(test, '/searchmodel/anime', question)
    await post(test, '/searchmodel/manga', { ...question, page: 0 })
    await test.app.request('/models/no/such/model')
    await test.app.request('/livez', { method: 'HEAD' })
    const samples = await samplesOf(test)
    const count = (labels: Record<string, string>) =>
      sumOf(samples, 'synoptic_request_duration_seconds_count', labels)
    expect(count({ route: '/searchmodel/anime', method: 'POST', status: '200' })).toBe(2)
    expect(count({ route: '/searchmodel/manga', status: '400' })).toBe(1)
    expect(count({ route: '/models/{name}', status: '404' })).toBe(1)
    expect(count({ route: '/livez', method: 'HEAD' })).toBe(1)
    expect(sumOf(samples, 'synoptic_problems_total', { problem: 'invalid-request' })).toBe(1)
  })

  it('times the phases that Server-Timing names', async () => {
    const test = createTestApp()
    const response = await post(test, '/searchmodel/anime', question)
    const timing = response.headers.get('server-timing') ?? ''
    const names = [...timing.matchAll(/(\w+);dur=[\d.]+/g)].map(([, name]) => name)
    expect(names).toEqual(['queue', 'tokenize', 'infer', 'scan', 'hydrate', 'total', 'request'])
    const samples = await samplesOf(test)
    for (const phase of names.slice(0, 5)) {
      expect(sumOf(samples, 'synoptic_phase_duration_seconds_count', { phase: phase ?? '' })).toBe(
        1,
      )
    }
    expect(sumOf(samples, 'synoptic_phase_duration_seconds_sum', { phase: 'infer' })).toBeCloseTo(
      0.0005,
    )
    expect(test.log).toContainEqual(
      expect.objectContaining({ phases: expect.objectContaining({ infer: 0.5 }) as object }),
    )
  })

  it('counts what is refused by its reason', async () => {
    const test = createTestApp({ rateLimit: { searchmodel: 0.001 }, rateBurst: 1 })
    for (let i = 0; i < 4; i++) await post(test, '/searchmodel/anime', question)
    expect(
      sumOf(await samplesOf(test), 'synoptic_problems_total', { problem: 'rate-limited' }),
    ).toBe(3)
  })

  it('does not grow with what clients make up', async () => {
    const test = createTestApp()
    await samplesOf(test)
    const series = async () =>
      (await samplesOf(test)).filter(({ name }) => name.startsWith('synoptic_')).length
    await test.app.request('/nothing')
    await test.app.request('/models/a')
    await test.app.request('/livez', { method: 'BREW' })
    const before = await series()
    for (let i = 0; i < 20; i++) {
      await test.app.request(`/nothing/${i}`)
      await test.app.request(`/models/${i}`)
      await test.app.request('/livez', { method: `BREW${i}` })
    }
    expect(await series()).toBe(before)
  })

  it('has the type that Prometheus requests, and is not kept', async () => {
    const { headers, status } = await createTestApp().app.request('/metrics')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    expect(headers.get('cache-control')).toBe('no-store')
  })

  it('is left out with its group', async () => {
    const health = createTestApp({ enableRoutes: ['health'] })
    expect((await health.app.request('/metrics')).status).toBe(404)
    const alone = createTestApp({ enableRoutes: ['metrics'] })
    expect((await alone.app.request('/metrics')).status).toBe(200)
    expect((await alone.app.request('/livez')).status).toBe(404)
  })
})
