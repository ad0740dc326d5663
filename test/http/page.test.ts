/** GET / as browsers and as programs ask for it, and the files of the page. */
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { createTestApp, healthy, send, withServer } from './harness.js'

const report = {
  ...healthy,
  datasets: {
    anime: { version: 'v', sources: [], entries: 57, columns: [], models: [], models_loaded: [] },
  },
}
const services = { health: { report: () => report } }
const { app } = createTestApp({}, services)
const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
const get = (path: string, accept?: string, from = app) =>
  from.request(path, { headers: accept === undefined ? {} : { accept } })

describe('GET / for browsers', () => {
  it('is a page whose every file is served from here', async () => {
    const response = await get('/', browser)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toMatch(/^text\/html; charset=utf-8$/i)
    expect(response.headers.get('vary')).toMatch(/Accept(,|$)/)
    const page = await response.text()
    const links = Array.from(page.matchAll(/(?:href|src)="(page[^"]+)"/g), ([, link]) => link)
    expect(links.length).toBe(3)
    for (const link of links) {
      const file = await get(`/${link ?? ''}`)
      expect(file.status, link).toBe(200)
      expect(file.headers.get('etag'), link).toMatch(/^W\//)
      expect(file.headers.get('x-content-type-options')).toBe('nosniff')
    }
  })

  it('lets nothing inline and nothing of others in', async () => {
    const response = await get('/', browser)
    const policy = response.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self'")
    expect(policy).toContain("style-src 'self'")
    expect(policy).not.toMatch(/unsafe|https?:|\*/)
    const page = (await response.text()).replace(/<meta property="og:image" [^>]*>/, '')
    expect(page).not.toMatch(/<script>|<style|\son\w+=|\sstyle=|https?:/)
  })

  it('lets images of the origins in that the operator names, and of no others', async () => {
    const coverHosts = ['https://cdn.example.org', 'https://b.example']
    const { app: covered } = createTestApp({ covers: coverHosts }, services)
    const response = await get('/', browser, covered)
    expect(response.headers.get('content-security-policy')).toContain(
      "img-src 'self' data: https://cdn.example.org https://b.example;",
    )
    expect(await response.text()).toContain('https://cdn.example.org')
    const { app: none } = createTestApp({ covers: ['off'] }, services)
    const policy = (await get('/', browser, none)).headers.get('content-security-policy')
    expect(policy).toContain("img-src 'self' data:;")
  })

  it('lets covers of the sites in that the operator names', async () => {
    const { app: covered } = createTestApp({ covers: ['anilist', 'myanimelist'] }, services)
    const response = await get('/', browser, covered)
    expect(response.headers.get('content-security-policy')).toContain(
      "img-src 'self' data: https://s4.anilist.co https://cdn.myanimelist.net;",
    )
    const { app: all } = createTestApp({ covers: ['catalogue'] }, services)
    const policy = (await get('/', browser, all)).headers.get('content-security-policy')
    expect(policy).toContain("img-src 'self' data: https:;")
  })

  it('says in a preview what a link searches, as text', async () => {
    const page = await (await get('/?q=%22%3E%3Cscript%3Ekettle', browser)).text()
    expect(page).toContain('property="og:title" content="“&quot;>&lt;script>kettle” · Synoptic"')
    expect(await (await get('/', browser)).text()).toContain(
      'property="og:title" content="Synoptic"',
    )
  })

  it.each([
    [{}, 'http://localhost/page/preview.png'],
    [{ 'x-forwarded-proto': 'https' }, 'https://localhost/page/preview.png'],
    [
      { 'x-forwarded-proto': 'https', 'x-forwarded-prefix': '/a/b' },
      'https://localhost/a/b/page/preview.png',
    ],
    [
      { 'x-forwarded-proto': 'javascript', 'x-forwarded-prefix': '//evil.example"><script>' },
      'http://localhost/page/preview.png',
    ],
  ])('names an image for previews by its whole address, with %j', async (headers, address) => {
    const page = await (await app.request('/', { headers: { accept: browser, ...headers } })).text()
    expect(page).toContain(`property="og:image" content="${address}"`)
    const image = await get(new URL('/page/preview.png', address).pathname)
    expect(image.headers.get('content-type')).toBe('image/png')
    const bytes = Buffer.from(await image.arrayBuffer())
    const [width, height] = [16, 20].map((at) => bytes.readUInt32BE(at))
    expect([width, height]).toEqual([1200, 630])
  })

  it('shows browsers a page where there is nothing, and programs the problem', async () => {
    const missing = await get('/a/b', browser)
    expect(missing.status).toBe(404)
    expect(missing.headers.get('content-type')).toContain('text/html')
    expect(missing.headers.get('content-security-policy')).toContain("default-src 'none'")
    const page = await missing.text()
    expect(page).toContain('This page does not exist.')
    expect(page).toContain('href="../page/style.css"')
    const problem = await get('/a/b', 'application/json')
    expect(problem.headers.get('content-type')).toContain('application/problem+json')
  })

  it('has only relative addresses, so that a proxy may serve it under a prefix', async () => {
    const page = await (await get('/', browser)).text()
    expect(page).not.toMatch(/(?:href|src)="\//)
  })

  it('gives the page what the server has, as an attribute that nothing breaks out of', async () => {
    const name = '"><script>alert(1)</script>'
    const datasets = { [name]: report.datasets.anime }
    const hostile = createTestApp({}, { health: { report: () => ({ ...report, datasets }) } }).app
    const page = await (await get('/', browser, hostile)).text()
    expect(page).not.toContain('<script>alert')
    const [, content = ''] = /name="synoptic" content="([^"]*)"/.exec(page) ?? []
    const facts = JSON.parse(content.replaceAll('&quot;', '"').replaceAll('&lt;', '<')) as object
    expect(facts).toMatchObject({ version: '0.0.0', datasets: { [name]: 57 } })
    expect(facts).toHaveProperty('groups')
  })

  it('is revalidated and compressed', async () => {
    const first = await get('/', browser)
    expect(first.headers.get('cache-control')).toBe('no-cache')
    const headers = { accept: browser, 'if-none-match': first.headers.get('etag') ?? '' }
    expect((await app.request('/', { headers })).status).toBe(304)
    await withServer({}, async (server) => {
      const headers = { 'accept-encoding': 'gzip' }
      const { headers: received } = await send(server, { path: '/page/page.js', headers })
      expect(received['content-encoding']).toBe('gzip')
    })
  })

  it('is small: at most 80 kB compressed with all its files', async () => {
    let size = 0
    for (const path of ['/', '/page/page.js', '/page/style.css', '/page/icon.svg']) {
      size += gzipSync(await (await get(path, browser)).text()).length
    }
    expect(size).toBeGreaterThan(10_000)
    expect(size).toBeLessThan(80_000)
  })
})

describe('GET / for programs', () => {
  it.each([
    undefined,
    '*/*',
    'application/json',
    'application/json, text/html;q=0.9',
    'text/plain',
  ])('accepting %s it is the state as before', async (accept) => {
    const response = await get('/', accept)
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(response.headers.get('cache-control')).toBe('no-cache')
    expect(response.headers.get('content-security-policy')).toBeNull()
    expect(await response.json()).toEqual(report)
  })

  it('answers other methods as before', async () => {
    const refused = await app.request('/', { method: 'POST', headers: { accept: browser } })
    expect(refused.status).toBe(405)
    expect(refused.headers.get('allow')).toBe('GET, HEAD, OPTIONS')
    const head = await app.request('/', { method: 'HEAD', headers: { accept: browser } })
    expect(head.headers.get('content-type')).toMatch(/^text\/html/)
    expect(await head.text()).toBe('')
  })
})

describe('files of the page', () => {
  it.each([
    '/page',
    '/page/',
    '/page/index.html',
    '/page/main.tsx',
    '/page/..%2Fcli.js',
    '/page/%2e%2e%2fcli.js',
    '/page/page.js%00.css',
    '/page/PAGE.JS',
    '/page/constructor',
  ])('%s is not there', async (path) => {
    expect((await get(path)).status).toBe(404)
  })
})

describe('without the page', () => {
  it.each([
    ['--ui off', { ui: 'off' as const }],
    ['other groups alone', { enableRoutes: ['health', 'search'] }],
  ])('with %s, browsers too receive the state', async (_, settings) => {
    const without = createTestApp(settings, services).app
    const response = await get('/', browser, without)
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(response.headers.get('vary')).toBe('Accept-Encoding')
    expect((await get('/page/page.js', browser, without)).status).toBe(404)
  })

  it('is the page for everybody where nothing else is at /', async () => {
    const only = createTestApp({ enableRoutes: ['page'] }, services).app
    const response = await get('/', 'application/json', only)
    expect(response.headers.get('content-type')).toMatch(/^text\/html/)
  })
})
