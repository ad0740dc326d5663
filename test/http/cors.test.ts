import { describe, expect, it } from 'vitest'
import { createTestApp, post, question } from './harness.js'

const page = 'https://page.example'
const preflight = (
  { app }: ReturnType<typeof createTestApp>,
  headers: Record<string, string> = {},
  path = '/searchmodel/anime',
) =>
  app.request(path, {
    method: 'OPTIONS',
    headers: {
      origin: page,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type, x-request-id',
      ...headers,
    },
  })

describe('with the defaults, on a server for other machines, every page', () => {
  const test = createTestApp({ host: '0.0.0.0' })

  it('may read answers and problems, and the headers that explain them', async () => {
    for (const body of [question, {}]) {
      const response = await post(test, '/searchmodel/anime', body, { origin: page })
      expect(response.headers.get('access-control-allow-origin')).toBe('*')
      expect(response.headers.get('access-control-expose-headers')).toContain('Server-Timing')
      expect(response.headers.get('access-control-allow-credentials')).toBeNull()
    }
  })

  it('may send what it requests', async () => {
    const response = await preflight(test)
    expect(response.status).toBe(204)
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(response.headers.get('access-control-allow-methods')).toBe('POST')
    expect(response.headers.get('access-control-allow-headers')).toBe('content-type, x-request-id')
    expect(response.headers.get('access-control-max-age')).toBe('600')
  })
})

describe('with --cors-origins', () => {
  const test = createTestApp({ corsOrigins: [page, 'https://other.example'] })

  it('a page on the list may read answers', async () => {
    const response = await post(test, '/searchmodel/anime', question, { origin: page })
    expect(response.headers.get('access-control-allow-origin')).toBe(page)
    expect(response.headers.get('vary')).toContain('Origin')
    expect((await preflight(test)).headers.get('access-control-allow-origin')).toBe(page)
  })

  it.each([
    'https://evil.example',
    'https://page.example.evil.example',
    'http://page.example',
    'null',
  ])('the page %s may not', async (origin) => {
    const response = await post(test, '/searchmodel/anime', question, { origin })
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
    expect(response.headers.get('vary')).toContain('Origin')
    const allowed = await preflight(test, { origin })
    expect(allowed.headers.get('access-control-allow-origin')).toBeNull()
    expect(allowed.headers.get('access-control-allow-methods')).toBeNull()
  })

  it('a client that is no page is served', async () => {
    expect((await post(test, '/searchmodel/anime', question)).status).toBe(200)
  })
})

describe('with --cors-methods and --cors-headers', () => {
  it('the lists are what is allowed, whatever is requested', async () => {
    const test = createTestApp({
      host: '0.0.0.0',
      corsMethods: ['GET'],
      corsHeaders: ['Content-Type'],
    })
    const response = await preflight(test)
    expect(response.headers.get('access-control-allow-methods')).toBe('GET')
    expect(response.headers.get('access-control-allow-headers')).toBe('Content-Type')
  })
})
