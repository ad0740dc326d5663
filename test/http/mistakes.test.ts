/** The usual mistakes of a first request: what the server answers names what to change. */
import { describe, expect, it } from 'vitest'
import { createTestApp, post, question } from './harness.js'

async function problemsOf(response: Response) {
  const body = (await response.json()) as { errors: { path: string; message: string }[] }
  return [response.status, ...body.errors.map(({ path, message }) => `${path}: ${message}`)]
}

describe('names', () => {
  it('of members and parameters that there are not are refused with the nearest', async () => {
    const test = createTestApp()
    const { model, description } = question
    const send = async (body: object, query = '') =>
      problemsOf(await post(test, `/searchmodel/anime${query}`, body))
    expect(await send({ ...question, resultsPrPage: 3 })).toEqual([
      400,
      'resultsPrPage: unknown name; did you mean resultsPerPage?',
    ])
    expect(await send({ model, descripton: description })).toEqual([
      400,
      'description: required',
      'descripton: unknown name; did you mean description?',
    ])
    expect(await send(question, '?excludelisted=1')).toEqual([
      400,
      'excludelisted: unknown name; did you mean excludeListed?',
    ])
    const similar = await test.app.request('/similar/anime/1?zzzzzzzz=1')
    const [status, problem] = await problemsOf(similar)
    expect(status).toBe(400)
    expect(problem).toMatch(/^zzzzzzzz: unknown name; known are model, page, /)
  })

  it('of a member that is nested deeply is refused, and nothing breaks', async () => {
    const deep = `{"a":${'['.repeat(9000)}${']'.repeat(9000)},${JSON.stringify(question).slice(1)}`
    const response = await post(createTestApp(), '/searchmodel/anime', deep)
    const [status, problem] = await problemsOf(response)
    expect(status).toBe(400)
    expect(problem).toMatch(/^a: unknown name; known are model, /)
  })

  it.each(['/models', '/facets/anime', '/titles/anime?prefix=a', '/entries/anime/1'])(
    'of parameters are checked at %s too',
    async (path) => {
      const { app } = createTestApp()
      const separator = path.includes('?') ? '&' : '?'
      const [status, problem] = await problemsOf(await app.request(`${path}${separator}limt=1`))
      expect(status).toBe(400)
      expect(problem).toMatch(/^limt: unknown name/)
    },
  )
})

describe('models', () => {
  it('are found by the last part of a name, and the response has the whole', async () => {
    const test = createTestApp()
    const response = await post(test, '/searchmodel/anime', { ...question, model: 'words' })
    expect(await response.json()).toMatchObject({ meta: { model: 'test/words' } })
  })

  it('that are unknown are answered with the three nearest', async () => {
    const test = createTestApp()
    const body = { ...question, model: 'all-minilm-l6' }
    const [status, problem] = await problemsOf(await post(test, '/searchmodel/anime', body))
    expect(status).toBe(400)
    expect(problem).toMatch(
      /^model: unknown model "all-minilm-l6"; the nearest are encoders\/all-MiniLM-L6-v2, [\w/-]+, [\w/-]+\. GET \/models lists all\.$/,
    )
  })
})

describe('filters', () => {
  it('that leave nothing say which value no entry has', async () => {
    const test = createTestApp()
    const body = { ...question, genres: { any: ['Actoin'] }, type: 'tv' }
    const response = await post(test, '/searchmodel/anime', body)
    expect(await response.json()).toMatchObject({
      results: [],
      meta: { notes: [expect.stringMatching(/^no anime has the genre "Actoin"/)] },
    })
  })

  it.each([
    [{ genres: { any: ['a', ''] } }, 'genres.any.1'],
    [{ genres: ['Action'] }, 'genres'],
    [{ genres: { some: ['Action'] } }, 'genres.some'],
    [{ type: ['tv', ''] }, 'type.1'],
  ])('that are wrong are named by their path in the request: %j', async (filter, path) => {
    const test = createTestApp()
    const response = await post(test, '/searchmodel/anime', { ...question, ...filter })
    const { errors } = (await response.json()) as { errors: { path: string }[] }
    expect(errors.map((error) => error.path)).toEqual([path])
  })

  it('of a query are named as they are sent', async () => {
    const response = await createTestApp().app.request('/similar/anime/1?genres=Action&genres=')
    expect(await problemsOf(response)).toEqual([
      400,
      'genres: must be 1 to 100 characters; it is empty',
    ])
  })
})
