/** Works for adults are among the results of no search unless somebody wants them. */
import { describe, expect, it } from 'vitest'
import type { ServerSettings } from '#synoptic/base/config/settings.js'
import type { SearchJson } from '#synoptic/server/schemas/search-body.js'
import { createTestApp, post, question } from './harness.js'
import { model } from '../search/world.js'

/** Of the works of a world, every fourth is for adults. */
function openApp(changes: Partial<ServerSettings> = {}) {
  const test = createTestApp(changes)
  const { works } = test.world.content.anime
  works.forEach((work, row) => {
    if (row % 4 === 1) Object.assign(work, { facts: { adult: true } })
  })
  const adultIds = new Set(works.filter((_, row) => row % 4 === 1).map(({ id }) => id))
  const countAdult = async (response: Response | Promise<Response>) => {
    const answered = await response
    expect(answered.status).toBe(200)
    const { results, pagination } = (await answered.json()) as SearchJson
    expect(results).toHaveLength(pagination.totalResults)
    return results.filter(({ id }) => adultIds.has(id)).length
  }
  const search = (body: object) =>
    countAdult(post(test, '/searchmodel/anime', { ...question, resultsPerPage: 100, ...body }))
  const similar = (id: number, query = '') =>
    countAdult(test.app.request(`/similar/anime/${id}?model=${model}&resultsPerPage=100${query}`))
  return { test, search, similar, ids: works.map(({ id }) => id), adultIds }
}

describe.each(['semantic', 'lexical', 'hybrid'])('a %s search', (mode) => {
  it('leaves them out, and includes them where the request says so', async () => {
    const { search } = openApp()
    expect(await search({ mode })).toBe(0)
    expect(await search({ mode, adult: false })).toBe(0)
    expect(await search({ mode, adult: true })).toBeGreaterThan(2)
  })

  it('includes them where the server says so, unless the request does not want them', async () => {
    const { search } = openApp({ adult: 'include' })
    expect(await search({ mode })).toBeGreaterThan(2)
    expect(await search({ mode, adult: false })).toBe(0)
  })
})

describe('similar works', () => {
  it('leave them out, and include them where the request says so', async () => {
    const { similar, ids } = openApp()
    const id = ids[2] ?? 0
    expect(await similar(id)).toBe(0)
    expect(await similar(id, '&adult=false')).toBe(0)
    expect(await similar(id, '&adult=true')).toBeGreaterThan(2)
  })

  it('of one of them are found, without the others', async () => {
    const { similar, adultIds } = openApp()
    const [id = 0] = adultIds
    expect(await similar(id)).toBe(0)
    expect(await similar(id, '&adult=1')).toBeGreaterThan(2)
  })

  it('are refused with another word', async () => {
    const { test, ids } = openApp()
    const response = await test.app.request(`/similar/anime/${ids[2]}?model=${model}&adult=maybe`)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({
      detail: 'adult: expected true, false, 1 or 0, received "maybe"',
    })
  })
})
