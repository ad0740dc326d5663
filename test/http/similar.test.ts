import { describe, expect, it } from 'vitest'
import type { ProblemBody } from '#synoptic/server/problems/problem.js'
import type { SearchJson } from '#synoptic/server/schemas/search-body.js'
import { createTestApp } from './harness.js'
import { model } from '../search/world.js'

const test = createTestApp()
const get = (path: string) => test.app.request(path)
const path = `/similar/anime/1000?model=${encodeURIComponent(model)}`

describe('GET /similar', () => {
  it('answers a page of entries, the entry itself left out', async () => {
    const response = await get(`${path}&resultsPerPage=4&page=2`)
    expect(response.status).toBe(200)
    const { results, pagination, meta } = (await response.json()) as SearchJson
    expect(results.map(({ rank }) => rank)).toEqual([5, 6, 7, 8])
    expect(results.map(({ id }) => id)).not.toContain(1000)
    expect(typeof results[0]?.synopsis).toBe('string')
    expect(pagination).toEqual({
      page: 2,
      resultsPerPage: 4,
      totalResults: 55,
      totalPages: 14,
      reachableResults: 55,
    })
    expect(meta).toEqual({ model, dataset: 'anime', id: 1000 })
    expect(response.headers.get('server-timing')).toMatch(
      /^scan;dur=[\d.]+, hydrate;dur=[\d.]+, total;dur=[\d.]+, request;dur=[\d.]+$/,
    )
  })

  it.each([
    '/similar/anime/1001',
    '/similar/anime/-1',
    '/similar/anime/1.5',
    '/similar/anime/abc',
    "/similar/anime/1'%20OR%201=1",
    '/similar/anime/99999999999999999999',
    '/similar/anime/9007199254740993',
    '/similar/anime',
    '/similar/novels/1000',
  ])('answers 404 for %s', async (where) => {
    const response = await get(`${where}?model=${encodeURIComponent(model)}`)
    expect(response.status).toBe(404)
    expect(((await response.json()) as ProblemBody).type).toBe('urn:synoptic:problem:not-found')
  })

  it.each([
    ['page=0', /^page: expected an integer from 1 to 10000, received 0$/],
    ['page=1.5', /^page: .*, received "1.5"$/],
    ['page=1&page=2', /^page/],
    ['resultsPerPage=101', /^resultsPerPage: expected an integer from 1 to 100/],
    [
      'page=1000&resultsPerPage=11',
      /^page: expected page \* resultsPerPage to be at most 10000, received 11000$/,
    ],
    ['model=none', /^model: unknown model "none"; the nearest are /],
  ])('answers 400 for %s', async (query, message) => {
    const separator = query.startsWith('model') ? '?' : `?model=${encodeURIComponent(model)}&`
    const response = await get(`/similar/anime/1000${separator}${query}`)
    expect(response.status).toBe(400)
    expect(((await response.json()) as ProblemBody).detail).toMatch(message)
  })

  it('answers 405 for another method', async () => {
    const response = await test.app.request('/similar/anime/1000', { method: 'POST' })
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('GET, HEAD, OPTIONS')
  })
})
