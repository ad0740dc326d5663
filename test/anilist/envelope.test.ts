import { chmod, mkdir, rm } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { createAnilistClient } from '#synoptic/data/anilist/client.js'
import { useHarness } from './harness.js'

const h = useHarness()
const query = 'query { Viewer { id name } }'
const token = 'eyJ0eXAi.abc-DEF_123'

describe('body', () => {
  test('holds the query and null variables when none are given', async () => {
    await h.client().query(query)
    expect(h.server.received[0]?.body).toStrictEqual({ query, variables: null })
  })

  test('holds null variables when null is given', async () => {
    await h.client().query(query, null)
    expect(h.server.received[0]?.body).toStrictEqual({ query, variables: null })
  })

  test('holds the variables that are given, an empty object included', async () => {
    const client = h.client()
    await client.query(query, { id: 7, names: ['a', null], name: 'ünï \u{1F363}' })
    await client.query(query, {})
    expect(h.server.received.map(({ body }) => body.variables)).toStrictEqual([
      { id: 7, names: ['a', null], name: 'ünï \u{1F363}' },
      {},
    ])
  })

  test('that cannot be JSON is the mistake of the caller', async () => {
    const circle: { self?: unknown } = {}
    circle.self = circle
    await expect(h.client().query(query, circle)).rejects.toThrow(TypeError)
    await expect(h.client().query(query, { id: 1n })).rejects.toThrow(TypeError)
    expect(h.clock.sleeps).toEqual([])
  })

  test('goes by POST, as JSON, to the path of the address', async () => {
    await h.client().query(query)
    expect(h.server.received[0]).toMatchObject({ method: 'POST', path: '/graphql' })
    expect(h.server.received[0]?.headers['content-type']).toBe('application/json')
  })
})

describe('bearer token', () => {
  test('goes out as an Authorization header and is the only extra one', async () => {
    const client = h.client()
    await client.query(query)
    await h.configure({ ACCESS_TOKEN: token, ANILIST_CLIENT_SECRET: 'other' })
    await client.query(query)
    const [unsigned, signed] = h.server.received.map(({ headers }) => new Set(Object.keys(headers)))
    expect(h.server.received[1]?.headers.authorization).toBe(`Bearer ${token}`)
    expect([...(signed ?? [])].filter((name) => !unsigned?.has(name))).toEqual(['authorization'])
  })

  test('is read before each request, so a renewed one is used', async () => {
    const client = h.client()
    await h.configure({ ACCESS_TOKEN: 'first' })
    await client.query(query)
    await h.configure({ ACCESS_TOKEN: 'second' })
    await client.query(query)
    await rm(h.configPath)
    await client.query(query)
    const sent = h.server.received.map(({ headers }) => headers.authorization)
    expect(sent).toEqual(['Bearer first', 'Bearer second', undefined])
  })

  test.each([
    ['after a byte order mark', `\uFEFF{"ACCESS_TOKEN":"${token}"}`],
    ['with spaces and a line end around it', { ACCESS_TOKEN: ` ${token}\n` }],
  ])('is taken %s', async (_case, content) => {
    await h.configure(content)
    await h.client().query(query)
    expect(h.server.received[0]?.headers.authorization).toBe(`Bearer ${token}`)
    expect(h.log.entries).toEqual([])
  })

  test.each([
    ['the file is missing', undefined, 'does not exist'],
    ['the key is missing', { access_token: token }, 'ACCESS_TOKEN is missing'],
    ['the value is null', { ACCESS_TOKEN: null }, 'ACCESS_TOKEN is null'],
  ])('is left out without a warning when %s', async (_case, content, reason) => {
    if (content !== undefined) await h.configure(content)
    const result = await h.client().query(query)
    expect(result.kind).toBe('answer')
    expect(h.server.received[0]?.headers).not.toHaveProperty('authorization')
    expect(h.log.messages('warn')).toEqual([])
    expect(h.log.messages('info')).toEqual([expect.stringContaining(reason)])
  })

  test.each([
    ['the file is not JSON', `{"ACCESS_TOKEN": "${token}"`, 'not valid JSON'],
    ['the file is empty', '', 'not valid JSON'],
    ['the file holds an array', [token], 'holds an array'],
    ['the file holds a text', JSON.stringify(token), 'type string'],
    ['the file holds null', 'null', 'holds null'],
    ['the token is a number', { ACCESS_TOKEN: 5 }, 'type number'],
    ['the token is an array', { ACCESS_TOKEN: [token] }, 'is an array'],
    ['the token is an object', { ACCESS_TOKEN: { value: token } }, 'type object'],
    ['the token is empty', { ACCESS_TOKEN: '' }, 'is empty'],
    ['the token is blank', { ACCESS_TOKEN: ' \n' }, 'is empty'],
    ['the token has a line break', { ACCESS_TOKEN: `a\nx-evil: ${token}` }, 'cannot carry'],
    ['the token has letters beyond ASCII', { ACCESS_TOKEN: 'tökén' }, 'cannot carry'],
    ['the token has Bearer before it', { ACCESS_TOKEN: `Bearer ${token}` }, 'cannot carry'],
  ])('is left out with a warning when %s', async (_case, content, reason) => {
    await h.configure(content)
    const result = await h.client().query(query)
    expect(result.kind).toBe('answer')
    expect(h.server.received[0]?.headers).not.toHaveProperty('authorization')
    expect(h.log.messages('warn')).toEqual([expect.stringContaining(reason)])
    expect(h.log.text()).not.toContain(token)
  })

  test('is left out with a warning when the file is a folder', async () => {
    await mkdir(h.configPath)
    await h.client().query(query)
    expect(h.server.received[0]?.headers).not.toHaveProperty('authorization')
    expect(h.log.messages('warn')).toEqual([expect.stringContaining('EISDIR')])
  })

  test.skipIf(process.getuid?.() === 0)('is left out when the file is not ours', async () => {
    await h.configure({ ACCESS_TOKEN: token })
    await chmod(h.configPath, 0)
    await h.client().query(query)
    expect(h.server.received[0]?.headers).not.toHaveProperty('authorization')
    expect(h.log.messages('warn')).toEqual([expect.stringContaining('EACCES')])
  })

  test('the reason is given once, and again when it changes', async () => {
    const client = h.client()
    await h.configure({})
    await client.query(query)
    await client.query(query)
    await h.configure('broken')
    await client.query(query)
    expect(h.log.entries.map(({ level }) => level)).toEqual(['info', 'warn'])
  })
})

describe('options', () => {
  test.each([
    ['no address', 'graphql'],
    ['an empty one', ''],
    ['another protocol', 'file:///etc/passwd'],
    ['user name and password', 'https://user:secret@example.org/'],
  ])('an address that is %s is refused without repeating it', (_case, url) => {
    const create = () => createAnilistClient({ url, logger: h.log })
    expect(create).toThrow(RangeError)
    expect(create).toThrow(/GRAPHQL_URL/)
    expect(create).not.toThrow(/secret|passwd/)
  })

  test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31])(
    'limits of %s ms are refused by name',
    async (limit) => {
      expect(() => h.client({ timeoutMs: limit })).toThrow(/timeoutMs: expected/)
      expect(() => h.client({ deadlineMs: limit })).toThrow(/deadlineMs: expected/)
      await expect(h.client().query(query, null, { deadlineMs: limit })).rejects.toThrow(RangeError)
      expect(h.server.received).toEqual([])
    },
  )

  test.each([0, -1, 1.5, Number.NaN])('%s retries are refused', async (retries) => {
    await expect(h.client().query(query, null, { retries })).rejects.toThrow(/retries: expected/)
    expect(h.server.received).toEqual([])
  })
})
