import { describe, expect, it } from 'vitest'
import { createTestApp, send, withServer } from './harness.js'

const { app } = createTestApp()

/** What the page and its files refer to, as paths of this server. */
async function linked(): Promise<string[]> {
  const page = await (await app.request('/docs')).text()
  return Array.from(page.matchAll(/(?:href|src)="([^"]+)"/g), ([, link]) => `/${link ?? ''}`)
}

describe('GET /docs', () => {
  it('is a page whose every link is served from here', async () => {
    const response = await app.request('/docs')
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    const links = await linked()
    expect(links.length).toBeGreaterThan(4)
    for (const link of links) {
      expect(link).toMatch(/^\/(docs\/|openapi\.json|\.\/$)/)
      expect((await app.request(link)).status, link).toBe(200)
    }
  })

  it('leads back to the search where there is a page for it', async () => {
    const other = createTestApp({ ui: 'off' }).app
    expect(await (await app.request('/docs')).text()).toContain('<a href="./">')
    expect(await (await other.request('/docs')).text()).not.toContain('<a href="./">')
  })

  it('holds no script and no style of its own, as its policy demands', async () => {
    const response = await app.request('/docs')
    const policy = response.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self'")
    expect(policy).not.toMatch(/unsafe|https?:|\*/)
    const page = await response.text()
    expect(page).not.toMatch(/<script>|<style|\son\w+=|\sstyle=|https?:/)
  })

  it.each([
    ['/docs/page.js', 'text/javascript'],
    ['/docs/page.css', 'text/css'],
    ['/docs/swagger-ui-bundle.js', 'text/javascript'],
    ['/docs/swagger-ui.css', 'text/css'],
    ['/docs/favicon-32x32.png', 'image/png'],
    ['/openapi.json', 'application/json'],
    ['/docs', 'text/html; charset=utf-8'],
  ])('%s is %s, may be kept and is revalidated', async (path, type) => {
    const first = await app.request(path)
    expect(first.status).toBe(200)
    expect(first.headers.get('content-type')).toBe(type)
    expect(first.headers.get('x-content-type-options')).toBe('nosniff')
    expect(first.headers.get('cache-control')).toBe('no-cache')
    const etag = first.headers.get('etag') ?? ''
    expect(etag).toMatch(/^W\/"[\w-]+"$/)
    const again = await app.request(path, { headers: { 'if-none-match': etag } })
    expect(again.status).toBe(304)
    expect(again.headers.get('etag')).toBe(etag)
    expect(again.headers.get('vary')).toBe('Accept-Encoding')
    expect(await again.text()).toBe('')
    const other = await app.request(path, { headers: { 'if-none-match': 'W/"other"' } })
    expect(other.status).toBe(200)
  })

  it('sends the bundle compressed to clients that accept it', async () => {
    await withServer({}, async (server) => {
      const path = '/docs/swagger-ui-bundle.js'
      const plain = await send(server, { path })
      expect(plain.headers['content-encoding']).toBeUndefined()
      const response = await fetch(`http://127.0.0.1:${server.address.port}${path}`, {
        headers: { 'accept-encoding': 'gzip' },
      })
      expect(response.headers.get('content-encoding')).toBe('gzip')
      expect(response.headers.get('vary')).toMatch(/accept-encoding/i)
      expect(await response.text()).toBe(plain.body)
    })
  })

  it('answers HEAD, and leads on from /docs/', async () => {
    const head = await app.request('/docs', { method: 'HEAD' })
    expect(head.status).toBe(200)
    expect(await head.text()).toBe('')
    const moved = await app.request('/docs/')
    expect(moved.status).toBe(308)
    const target = new URL(moved.headers.get('location') ?? '', 'http://localhost/prefix/docs/')
    expect(target.pathname).toBe('/prefix/docs')
  })

  it.each([
    '/docs/..%2Fpackage.json',
    '/docs/%2e%2e%2fpackage.json',
    '/docs/..%5Cpackage.json',
    '/docs/package.json',
    '/docs/swagger-ui.css.map',
    '/docs/swagger-ui.css%00.png',
    '/docs/swagger-ui.css/',
    '/docs/SWAGGER-UI.CSS',
    '/docs//etc/passwd',
    '/docs/index.html',
    '/docs/constructor',
  ])('%s is not there', async (path) => {
    const response = await app.request(path)
    expect(response.status).toBe(404)
    expect(response.headers.get('content-type')).toBe('application/problem+json')
  })

  it('does not leave its folder over a socket either', async () => {
    await withServer({}, async (server) => {
      for (const path of ['/docs/../../package.json', '/docs/./../package.json']) {
        expect((await send(server, { path })).status).toBe(404)
      }
      expect((await send(server, { path: '/openapi.json/../docs' })).status).toBe(200)
    })
  })

  it.each(['/docs', '/openapi.json', '/docs/swagger-ui.css'])(
    '%s cannot be posted',
    async (path) => {
      const response = await app.request(path, { method: 'POST', body: '{}' })
      expect(response.status).toBe(405)
      expect(response.headers.get('allow')).toBe('GET, HEAD, OPTIONS')
    },
  )

  it('is a group of its own', async () => {
    const without = createTestApp({ enableRoutes: ['health'] }).app
    expect((await without.request('/docs')).status).toBe(404)
    expect((await without.request('/docs/page.js')).status).toBe(404)
    expect((await without.request('/openapi.json')).status).toBe(404)
    const only = createTestApp({ enableRoutes: ['docs'] }).app
    expect((await only.request('/docs')).status).toBe(200)
    expect((await only.request('/livez')).status).toBe(404)
  })
})
