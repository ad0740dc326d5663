import { describe, expect, it } from 'vitest'
import { Validator } from '@seriousme/openapi-schema-validator'
import { routeGroups } from '#synoptic/base/config/route-groups.js'
import { createAccess } from '#synoptic/server/http/access/create-access.js'
import { createMemoryStore } from '#synoptic/server/http/limits/memory-store.js'
import { createApiKey, hashOf, withoutKeys } from '#synoptic/base/keys/api-key.js'
import type { KeyRecord } from '#synoptic/base/keys/key-record.js'
import { createKeyRing } from '#synoptic/base/keys/key-ring.js'
import type { ServerSettings } from '#synoptic/base/config/settings.js'
import { createTestApp, post, question, send, withServer, type TestApp } from './harness.js'
import { readOpenApi } from './openapi-document.js'

const created = '2026-01-01T00:00:00.000Z'

function newKey(name: string, more: Partial<KeyRecord> = {}): { key: string; record: KeyRecord } {
  const key = createApiKey()
  const hash = hashOf(key).toString('hex')
  return { key, record: { name, hash, scopes: ['search'], created, ...more } }
}

/** An app that needs one of these keys. */
function createGuardedApp(
  keys: readonly { record: KeyRecord }[],
  changes: Partial<ServerSettings> = {},
) {
  const ring = createKeyRing(keys.map(({ record }) => record))
  const store = createMemoryStore({ windowMs: 60_000, now: () => 0 })
  const access = createAccess(ring, new Map([['keys', store]]))
  return { ring, ...createTestApp(changes, { access }) }
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` })
const search = (test: TestApp, headers = {}) => post(test, '/searchmodel/anime', question, headers)
const get = ({ app }: TestApp, path: string, headers = {}) => app.request(path, { headers })

describe('--api-keys', () => {
  const website = newKey('website')
  const operator = newKey('operator', { scopes: ['admin'] })
  const old = newKey('old', { expires: '2026-02-01T00:00:00.000Z' })
  const lasting = newKey('lasting', { expires: '2999-01-01T00:00:00.000Z' })
  const test = createGuardedApp([website, operator, old, lasting])

  it.each([
    ['Authorization: Bearer', bearer(website.key)],
    ['authorization: bearer', { authorization: `bearer  ${website.key} ` }],
    ['x-api-key', { 'x-api-key': website.key }],
    [
      'x-api-key beside the scheme of a proxy',
      { authorization: 'Basic YTpi', 'x-api-key': website.key },
    ],
    ['a key that expires later', bearer(lasting.key)],
  ])('lets a search through with %s', async (_, headers) => {
    expect((await search(test, headers)).status).toBe(200)
  })

  it.each([
    ['no key', {}, 'Bearer realm="synoptic"', 'This needs an API key.'],
    ['an empty key', { 'x-api-key': '' }, 'error="invalid_token"', 'does not know'],
    ['Authorization without a key', { authorization: 'Bearer' }, 'realm', 'needs an API key'],
    ['a key that nobody has', bearer(createApiKey()), 'error="invalid_token"', 'does not know'],
    [
      'a key of one letter less',
      bearer(website.key.slice(0, -1)),
      'invalid_token',
      'does not know',
    ],
    ['a key of another case', bearer(website.key.toUpperCase()), 'invalid_token', 'does not know'],
    ['the hash of a key', bearer(website.record.hash), 'invalid_token', 'does not know'],
    ['the name of a key', bearer('website'), 'invalid_token', 'does not know'],
    ['a key that has expired', bearer(old.key), 'error="invalid_token"', 'has expired'],
    [
      'a wrong key in Authorization and a right one in x-api-key',
      { ...bearer('x'), 'x-api-key': website.key },
      'invalid_token',
      'does not know',
    ],
  ])('refuses %s with 401, before any work', async (_, headers, challenge, detail) => {
    const before = test.world.encoder.encoded.length
    const response = await search(test, headers)
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toContain(challenge)
    expect(response.headers.get('content-type')).toBe('application/problem+json')
    expect(await response.json()).toMatchObject({
      type: 'urn:synoptic:problem:unauthorized',
      status: 401,
      detail: expect.stringContaining(detail) as string,
    })
    expect(test.world.encoder.encoded).toHaveLength(before)
  })

  it('refuses a key without the scope with 403, and says which one', async () => {
    const response = await search(test, bearer(operator.key))
    expect(response.status).toBe(403)
    expect(response.headers.get('www-authenticate')).toBe(
      'Bearer realm="synoptic", error="insufficient_scope", scope="search"',
    )
    expect(await response.json()).toMatchObject({
      type: 'urn:synoptic:problem:forbidden',
      detail: expect.stringContaining('scope search, received one with admin') as string,
    })
  })

  it.each(['/', '/livez', '/readyz', '/docs', '/openapi.json', '/page/page.js', '/status'])(
    'leaves %s open',
    async (path) => {
      for (const headers of [{}, bearer('x')]) {
        expect((await get(test, path, headers)).status).toBe(200)
      }
    },
  )

  it.each([
    '/models',
    '/models/builtin/static-en',
    '/titles/anime?prefix=a',
    '/facets/anime',
    '/entries/anime/1',
  ])('needs a key of the scope search on %s', async (path) => {
    expect((await get(test, path)).status).toBe(401)
    expect((await get(test, path, bearer(operator.key))).status).toBe(403)
    expect((await get(test, path, bearer(website.key))).status).toBeLessThan(500)
    expect([401, 403]).not.toContain((await get(test, path, bearer(website.key))).status)
  })

  it.each(['/metrics', '/status/events'])('needs a key of the scope admin on %s', async (path) => {
    expect((await get(test, path)).status).toBe(401)
    expect((await get(test, path, bearer(website.key))).status).toBe(403)
    const response = await get(test, path, bearer(operator.key))
    expect(response.status).toBe(200)
    await response.body?.cancel()
  })

  it('has a scope for every route that is not a file or a probe', async () => {
    const document = await readOpenApi(test)
    const open = Object.entries(document.paths)
      .filter(([, item]) => Object.values(item).some((operation) => !('security' in operation)))
      .map(([path]) => path)
    expect(open.toSorted()).toEqual([
      '/',
      '/docs',
      '/health',
      '/livez',
      '/map',
      '/openapi.json',
      '/readyz',
      '/status',
    ])
    expect(routeGroups).toContain('searchmodel')
  })

  it('lets preflights through, and answers other methods and paths as without keys', async () => {
    const headers = { origin: 'https://a.example', 'access-control-request-method': 'POST' }
    const preflight = await test.app.request('/searchmodel/anime', { method: 'OPTIONS', headers })
    expect(preflight.status).toBe(204)
    expect((await get(test, '/searchmodel/anime')).status).toBe(405)
    expect((await get(test, '/nothing')).status).toBe(404)
  })

  it('takes other keys while it serves', async () => {
    const first = newKey('first')
    const second = newKey('second')
    const guarded = createGuardedApp([first])
    expect((await search(guarded, bearer(first.key))).status).toBe(200)
    guarded.ring.replace([second.record])
    expect((await search(guarded, bearer(first.key))).status).toBe(401)
    expect((await search(guarded, bearer(second.key))).status).toBe(200)
  })

  it('is in the documentation, which stays valid', async () => {
    const document = await readOpenApi(test)
    const { valid, errors } = await new Validator().validate({ ...structuredClone(document) })
    expect(errors).toBeUndefined()
    expect(valid).toBe(true)
    const operation = document.paths['/searchmodel/anime']?.post as unknown as {
      security: unknown
      description: string
      responses: Record<string, { headers: object }>
    }
    expect(operation.security).toEqual([{ bearer: [] }, { apiKey: [] }])
    expect(operation.description).toContain('scope `search`')
    expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(['401', '403', '429']))
    expect(operation.responses['401']?.headers).toHaveProperty('WWW-Authenticate')
  })

  it('leaves no trace in an app without keys', async () => {
    const plain = createTestApp()
    expect((await search(plain, bearer('x'))).status).toBe(200)
    expect(JSON.stringify(await readOpenApi(plain))).not.toContain('securitySchemes')
  })
})

describe('the limit of a key', () => {
  it('is counted for all routes together, and refuses with the name and Retry-After', async () => {
    const limited = newKey('limited', { perMinute: 2 })
    const free = newKey('free')
    const test = createGuardedApp([limited, free])
    const first = await search(test, bearer(limited.key))
    expect(first.headers.get('ratelimit-policy')).toBe('2;w=60')
    expect((await get(test, '/models', bearer(limited.key))).status).toBe(200)
    const refused = await search(test, { 'x-api-key': limited.key })
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toBe('60')
    expect(await refused.json()).toMatchObject({
      type: 'urn:synoptic:problem:rate-limited',
      detail: expect.stringContaining(
        'The limit of the key limited is 2 requests per minute',
      ) as string,
    })
    for (let i = 0; i < 4; i++) expect((await search(test, bearer(free.key))).status).toBe(200)
  })

  it('replaces --rate-limit; other keys have the limit of their group each', async () => {
    const limited = newKey('limited', { perMinute: 100 })
    const [one, two] = [newKey('one'), newKey('two')]
    const changes = { rateLimit: { searchmodel: 1 }, rateBurst: 1, rateLimitLoopback: true }
    const test = createGuardedApp([limited, one, two], changes)
    for (let i = 0; i < 5; i++) expect((await search(test, bearer(limited.key))).status).toBe(200)
    const statuses = []
    for (const { key } of [one, two, one]) statuses.push((await search(test, bearer(key))).status)
    expect(statuses).toEqual([200, 200, 429])
  })

  it('counts the texts of a batch', async () => {
    const limited = newKey('limited', { perMinute: 4 })
    const test = createGuardedApp([limited])
    const batch = (texts: number) => {
      const descriptions = Array.from({ length: texts }, (_, text) => `robot ${text}`)
      const body = { model: question.model, descriptions }
      return post(test, '/searchmodel/anime', body, bearer(limited.key))
    }
    const first = await batch(3)
    expect([first.status, first.headers.get('ratelimit')]).toEqual([
      200,
      expect.stringContaining('remaining=1'),
    ])
    const second = await batch(2)
    expect([second.status, second.headers.get('retry-after')]).toEqual([429, '60'])
    expect(await second.text()).toContain('The limit of the key limited is 4 requests per minute.')
  })

  it('takes a batch that no minute holds for the minutes that it takes', async () => {
    const limited = newKey('limited', { perMinute: 4 })
    const test = createGuardedApp([limited])
    const body = { model: question.model, descriptions: ['a', 'b', 'c', 'd', 'e', 'f'] }
    const first = await post(test, '/searchmodel/anime', body, bearer(limited.key))
    expect([first.status, first.headers.get('ratelimit')]).toEqual([
      200,
      'limit=4, remaining=0, reset=90',
    ])
    const second = await post(test, '/searchmodel/anime', body, bearer(limited.key))
    expect([second.status, second.headers.get('retry-after')]).toEqual([429, '90'])
  })

  it('does not count requests that are refused for their key', async () => {
    const limited = newKey('limited', { perMinute: 1 })
    const test = createGuardedApp([limited])
    for (let i = 0; i < 3; i++) expect((await search(test, bearer('x'))).status).toBe(401)
    expect((await get(test, '/metrics', bearer(limited.key))).status).toBe(403)
    expect((await search(test, bearer(limited.key))).status).toBe(200)
  })

  it('changes with the key, without a new count', async () => {
    const limited = newKey('limited', { perMinute: 1 })
    const test = createGuardedApp([limited])
    const statuses = [(await search(test, bearer(limited.key))).status]
    statuses.push((await search(test, bearer(limited.key))).status)
    test.ring.replace([{ ...limited.record, perMinute: 5 }])
    statuses.push((await search(test, bearer(limited.key))).status)
    expect(statuses).toEqual([200, 429, 200])
  })
})

describe('a key', () => {
  it('is named in metrics and log, and never itself', async () => {
    const website = newKey('website')
    const operator = newKey('operator', { scopes: ['admin'] })
    const test = createGuardedApp([website, operator])
    for (let i = 0; i < 3; i++) await search(test, bearer(website.key))
    await get(test, '/metrics', bearer(website.key))
    const body = await (await get(test, '/metrics', bearer(operator.key))).text()
    expect(body).toContain('synoptic_key_requests_total{key="website",status="200"} 3')
    expect(body).toContain('synoptic_key_requests_total{key="website",status="403"} 1')
    expect(body).not.toContain('syn_')
    const lines = test.log.filter(({ msg }) => msg === 'request')
    expect(lines.map(({ key }) => key)).toEqual([...Array<string>(4).fill('website'), 'operator'])
    for (const { key } of [website, operator]) expect(JSON.stringify(test.log)).not.toContain(key)
  })

  it.each([
    ['a path', (key: string) => `GET /entries/anime/${key} HTTP/1.1`],
    ['two keys', (key: string) => `${key},${key}`],
  ])('is made unreadable in %s', (_, textOf) => {
    const key = createApiKey()
    const text = withoutKeys(textOf(key))
    expect(text).not.toContain(key.slice(4))
    expect(text).toContain('syn_***')
  })

  it('is new each time, and has 256 bits', () => {
    const keys = new Set(Array.from({ length: 1000 }, createApiKey))
    expect(keys.size).toBe(1000)
    for (const key of keys) expect(Buffer.from(key.slice(4), 'base64url')).toHaveLength(32)
  })
})

describe('--rate-exempt', () => {
  const changes = { rateLimit: { searchmodel: 1 }, rateBurst: 1, trustProxy: 1 }
  const from = async (rateExempt: readonly string[], address: string) => {
    return withServer({ ...changes, rateExempt }, async (server) => {
      const statuses = []
      for (let i = 0; i < 2; i++) {
        const headers = { 'content-type': 'application/json', 'x-forwarded-for': address }
        const body = JSON.stringify(question)
        const request = { method: 'POST', path: '/searchmodel/anime', headers, body }
        statuses.push((await send(server, request)).status)
      }
      return statuses
    })
  }

  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['10.0.0.0/8', '10.200.3.4'],
    ['2001:db8::/32', '2001:db8:1::9'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['203.0.113.1,192.0.2.0/24', '192.0.2.200'],
  ])('of %s does not count %s', async (words, address) => {
    expect(await from(words.split(','), address)).toEqual([200, 200])
  })

  it.each([
    ['none', '192.0.2.7'],
    ['192.0.2.7', '192.0.2.8'],
    ['10.0.0.0/8', '11.0.0.1'],
    ['2001:db8::/32', '2001:db9::1'],
    ['0.0.0.0/0', '2001:db8::1'],
    ['192.0.2.7', 'no address, 198.51.100.1'],
  ])('of %s counts %s', async (words, address) => {
    expect(await from(words.split(','), address)).toEqual([200, 429])
  })
})
