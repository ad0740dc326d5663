/** What the server says about itself, and what it refuses, over a server that the command started. */
import type { HealthReport } from '#synoptic/server/schemas/server-health.js'
import { nativeInfo } from '#synoptic/native/addon/index.js'
import { describe, expect, it } from 'vitest'
import { openSearchScene } from './search-scene.js'

const { origin, search, get, problemOf } = await openSearchScene()

describe('paths and methods', () => {
  it.each(['/searches', '/search/films', '/search/anime/', '/models/nothing'])(
    '%s is not found',
    async (path) => {
      const { status, kind } = await problemOf(await fetch(`${origin}${path}`))
      expect([status, kind]).toEqual([404, 'not-found'])
    },
  )

  it.each([
    ['/search', 'GET', 'POST, OPTIONS'],
    ['/search/anime', 'GET', 'POST, OPTIONS'],
    ['/search/manga', 'PUT', 'POST, OPTIONS'],
    ['/models', 'POST', 'GET, HEAD, OPTIONS'],
    ['/', 'DELETE', 'GET, POST, HEAD, OPTIONS'],
    ['/docs', 'POST', 'GET, HEAD, OPTIONS'],
  ])('%s takes no %s', async (path, method, allowed) => {
    const response = await fetch(`${origin}${path}`, { method })
    expect(response.headers.get('allow')).toBe(allowed)
    expect(await problemOf(response)).toMatchObject({ status: 405, kind: 'method-not-allowed' })
  })
})

describe('GET /models', () => {
  it('maps categories to names to short descriptions, and labels of fine-tuned models to paths', async () => {
    const { models, fine_tuned, endpoints } = (await get('/models')) as {
      models: Record<string, Record<string, string>>
      fine_tuned: Record<string, string>
      endpoints: Record<string, string[]>
    }
    expect(Object.keys(models)).toEqual(['Semantic Search', 'Similarity models'])
    expect(Object.keys(models['Semantic Search'] ?? {})).toContain('builtin/maxsim-en')
    expect(Object.keys(models['Similarity models'] ?? {})).toContain('builtin/static-en')
    for (const list of Object.values(models)) {
      for (const description of Object.values(list)) expect(description).toMatch(/^.{10,160}$/)
    }
    const labels = ['broken', 'older-layout', 'sound', 'three-labels', 'vectors']
    expect(endpoints).toEqual({
      'Semantic Search': ['/search', '/v1/rerank', '/v2/rerank', '/rerank'],
      'Similarity models': ['/searchmodel', '/similar', '/v1/embeddings', '/embed', '/similarity'],
      fine_tuned: ['/search', '/v1/rerank', '/v2/rerank', '/rerank'],
    })
    expect(fine_tuned).toEqual(
      Object.fromEntries(labels.map((label) => [label, `models/fine-tuned/${label}`])),
    )
  })

  it('lists a fine-tuned bi-encoder, which ranks by cosine', async () => {
    const { results, candidates_scored } = await search('?model_name=vectors&candidates=20')
    expect(candidates_scored).toBe(20)
    for (const { score } of results) {
      expect(score).toBeGreaterThan(0)
      expect(score).toBeLessThanOrEqual(1)
    }
  })

  it.each([
    ['builtin/maxsim-en', { category: 'Semantic Search', installed: true }],
    ['bge-reranker-base', { category: 'Semantic Search', installed: false, size_bytes: null }],
    ['builtin/static-en', { category: 'Similarity models', installed: true, dimension: 256 }],
    ['sound', { category: 'fine_tuned', installed: true, dimension: null }],
    ['models/fine-tuned/sound', { category: 'fine_tuned', installed: true }],
  ])('/%s returns more', async (name, expected) => {
    const model = await get(`/models/${encodeURIComponent(name)}`)
    expect(model).toMatchObject(expected)
    expect(await get(`/models/${name}`)).toEqual(model)
    if (expected.installed) expect(model.size_bytes).toBeGreaterThan(1000)
  })
})

describe('GET /', () => {
  it('returns the state, the devices, the kernel, the datasets and what is loaded', async () => {
    await search('?model_name=sound&device=cpu')
    const report = (await get('/')) as unknown as HealthReport
    expect(report.status).toBe('ok')
    expect(report.version).toMatch(/^\d+\.\d+\.\d+/)
    expect(typeof report.cuda_available).toBe('boolean')
    expect(report.cuda_reason === null).toBe(report.cuda_available)
    expect(report.cuda_reason).not.toBe('')
    const { cuda_searches: searches, cuda_models: models } = report
    for (const { available, reason } of [searches, models]) expect(reason === null).toBe(available)
    expect(report.cuda_available).toBe(searches.available || models.available)
    if (nativeInfo().cuda.available) expect(searches.available).toBe(true)
    else expect(searches.reason).toBe(nativeInfo().cuda.reason)
    expect(models.available).toBe(report.devices.includes('cuda:0'))
    if (!models.available) expect(models.reason).toContain('ONNX Runtime')
    expect(report.devices[0]).toBe('cpu')
    expect(report.kernel).toMatch(/^[\w-]+$/)
    expect(report.models_loaded).toEqual(
      expect.arrayContaining(['builtin/static-en', 'builtin/maxsim-en', 'sound']),
    )
    expect(report.models_loaded).not.toContain('broken')
    for (const dataset of ['anime', 'manga']) {
      expect(report.datasets[dataset]).toEqual({
        entries: expect.any(Number) as number,
        columns: ['synopsis', 'logline'],
        models: ['builtin/static-en'],
        models_loaded: ['builtin/static-en'],
        sources: [],
        version: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      })
      expect(report.datasets[dataset]?.entries).toBeGreaterThan(100)
    }
  })

  it('loads nothing, however often it is requested', async () => {
    const before = (await get('/')) as unknown as HealthReport
    await Promise.all(Array.from({ length: 20 }, () => get('/')))
    const after = (await get('/')) as unknown as HealthReport
    expect(after.models_loaded).toEqual(before.models_loaded)
  })
})
