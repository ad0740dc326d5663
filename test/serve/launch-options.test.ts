/** Every launch option, as the command takes it and a client sees it. */
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { begunFolder, openScene, withoutSearch } from '../faults/scene.js'
import { cli, deathNote, startServer } from './child.js'

const page = 'https://page.example'

/** A group of routes by one request that belongs to it. */
const groups = {
  searchmodel: ['POST', '/searchmodel/anime', deathNote],
  search: ['POST', '/search/anime', { query: deathNote.description }],
  similar: ['GET', '/similar/anime/1?model=builtin/static-en', undefined],
  models: ['GET', '/models', undefined],
  health: ['GET', '/', undefined],
  docs: ['GET', '/openapi.json', undefined],
  metrics: ['GET', '/metrics', undefined],
} as const

async function groupsOf(origin: string): Promise<string[]> {
  const served = []
  for (const [group, [method, path, body]] of Object.entries(groups)) {
    const { status } = await fetch(`${origin}${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    expect([200, 404]).toContain(status)
    if (status === 200) served.push(group)
  }
  return served
}

const preflight = (origin: string, from: string) =>
  fetch(`${origin}/search/anime`, {
    method: 'OPTIONS',
    headers: {
      origin: from,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type',
    },
  })
const allowedBy = ({ headers }: Response) =>
  ['origin', 'methods', 'headers'].map((what) => headers.get(`access-control-allow-${what}`))

const full = await openScene([
  '--workers',
  '2',
  '--limit-concurrency',
  '1',
  '--timeout',
  '1',
  '--cors-origins',
  `https://other.example,${page}`,
  '--cors-methods',
  'POST',
  '--cors-headers',
  'content-type',
  '--enable-routes',
  'search,health,docs',
])

const folder = await begunFolder()
const file = join(folder, 'synoptic.json')
writeFileSync(
  file,
  JSON.stringify({ enableRoutes: ['searchmodel', 'similar', 'models', 'metrics'] }),
)
const mixed = await startServer(
  folder,
  ['--host', '0.0.0.0', '--config', file, '--rate-limit', '0'],
  [],
  { SYNOPTIC_WORKERS: '1', SYNOPTIC_TIMEOUT: '7' },
)
afterAll(() => mixed.stop())

const help = spawnSync(process.execPath, [cli, 'serve', '--help'], { encoding: 'utf8' }).stdout

it.each([
  ['host', '127.0.0.1'],
  ['port', '8000'],
  ['workers', String(Math.max(1, Math.floor(availableParallelism() / 2)))],
  ['limit-concurrency', '50'],
  ['timeout', '30'],
  ['cors-origins', 'auto'],
  ['allowed-hosts', 'none'],
  ['cors-methods', '*'],
  ['cors-headers', '*'],
  ['enable-routes', 'all'],
])('--%s is %s by default', (flag, value) => {
  const [, text = ''] = help.split(`\n  --${flag} `)
  const [row = ''] = text.split('\n  --')
  expect(row).toContain(`default ${value};`)
})

describe('a server with every option', () => {
  it('has as many processes as --workers', () => {
    const workers = spawnSync('pgrep', ['-P', String(full.child.pid)], { encoding: 'utf8' })
    expect(workers.stdout.trim().split('\n')).toHaveLength(2)
  })

  it('serves the groups of --enable-routes alone, and documents no others', async () => {
    expect(await groupsOf(full.origin)).toEqual(['search', 'health', 'docs'])
    const response = await fetch(`${full.origin}/openapi.json`)
    const { paths } = (await response.json()) as { paths: object }
    expect(Object.keys(paths).sort()).toEqual([
      '/',
      '/docs',
      '/health',
      '/livez',
      '/openapi.json',
      '/readyz',
      '/search',
      '/search/anime',
      '/search/manga',
    ])
  })

  it('lets the pages of --cors-origins call, with what the others allow', async () => {
    for (const from of [page, 'https://other.example']) {
      expect(allowedBy(await preflight(full.origin, from))).toEqual([from, 'POST', 'content-type'])
    }
    const answer = await fetch(full.origin, { headers: { origin: page } })
    expect(answer.headers.get('access-control-allow-origin')).toBe(page)
  })

  it.each(['https://evil.example', 'http://page.example', `${page}.evil.example`, 'null'])(
    'lets the page %s not call',
    async (from) => {
      expect(allowedBy(await preflight(full.origin, from))).toEqual([null, null, null])
      const answer = await fetch(full.origin, { headers: { origin: from } })
      expect(answer.headers.get('access-control-allow-origin')).toBeNull()
    },
  )

  it('closes a connection that was idle for --timeout', async () => {
    const socket = connect(Number(new URL(full.origin).port), '127.0.0.1')
    socket.write('GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n')
    const [answer] = (await once(socket, 'data')) as [Buffer]
    expect(answer.toString()).toContain('Keep-Alive: timeout=1')
    await once(socket, 'end')
    socket.destroy()
  })

  it('refuses beyond --limit-concurrency, says when to come again, and goes on', async () => {
    const search = () =>
      fetch(`${full.origin}/search/manga?candidates=all`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query: deathNote.description }),
      })
    let refused: Response | undefined
    while (refused === undefined) {
      const answers = await Promise.all(Array.from({ length: 12 }, search))
      for (const { status } of answers) expect([200, 503]).toContain(status)
      expect((await fetch(full.origin)).status).toBe(200)
      refused = answers.find(({ status }) => status === 503)
    }
    expect(refused.headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
    expect(refused.headers.get('content-type')).toBe('application/problem+json')
    expect(await refused.json()).toMatchObject({ type: 'urn:synoptic:problem:overloaded' })
    expect((await search()).status).toBe(200)
  })
})

describe('a server whose options come from environment and file', () => {
  it('serves the other groups, on every address', async () => {
    expect(mixed.origin).toContain('localhost')
    const origin = `http://127.0.0.1:${new URL(mixed.origin).port}`
    expect(await groupsOf(origin)).toEqual(['searchmodel', 'similar', 'models', 'metrics'])
    const { headers } = await fetch(`${origin}/models`)
    expect(headers.get('keep-alive')).toBe('timeout=7')
  })

  it('lets every page call where no --cors option is given', async () => {
    const allowed = await preflight(mixed.origin, page)
    expect(allowed.status).toBe(204)
    expect(allowedBy(allowed)).toEqual(['*', 'POST', 'content-type'])
  })
})

describe('a start with bad options', () => {
  it('reports all of them at once, and serves nothing', async () => {
    const bad = {
      host: ' ',
      port: '65536',
      workers: '0',
      'limit-concurrency': '0',
      timeout: 'soon',
      'cors-origins': 'page.example',
      'cors-methods': 'GET POST',
      'cors-headers': 'a:b',
      'enable-routes': 'search,helth',
    }
    const words = Object.entries(bad).map(([flag, value]) => `--${flag}=${value}`)
    const error = await startServer(await begunFolder(), words).then(
      () => 'it started',
      (error: unknown) => String(error),
    )
    for (const [flag, value] of Object.entries(bad)) {
      expect(error).toMatch(
        new RegExp(`--${flag}: expected .*received.*${value.split(',').at(-1)}`),
      )
    }
    expect(error.match(/: expected /g)).toHaveLength(Object.keys(bad).length)
  })

  it.each([
    ['--enable-route=search', '--enable-routes'],
    ['--worker=2', '--workers'],
  ])('%s is no option, and %s is offered', async (word, nearest) => {
    await expect(startServer(await begunFolder(), [word])).rejects.toThrow(
      `did you mean ${nearest}?`,
    )
  })
})

describe('--rate-limit, --trust-proxy and --log-queries', () => {
  it('count by group and by client behind a proxy, over all workers, and log the requests of each client', async () => {
    const paced = ['--rate-limit', 'searchmodel=0.0001,models=0.0001', '--workers', '2']
    const proxies = ['--trust-proxy', '127.0.0.0/8,2001:db8::/32', '--log-queries']
    const server = await openScene([...paced, ...proxies])
    /** Of one request, on a connection of its own, so that workers take turns. */
    const status = async (client: string, path: string, body?: object) => {
      const response = await fetch(`${server.origin}${path}`, {
        method: body ? 'POST' : 'GET',
        headers: {
          'content-type': 'application/json',
          'x-forwarded-for': `6.6.6.6, ${client}, 2001:db8::1`,
          connection: 'close',
        },
        ...(body && { body: JSON.stringify(body) }),
      })
      await response.arrayBuffer()
      return response.status
    }
    for (const client of ['1.1.1.1', '2.2.2.2']) {
      const statuses = []
      for (let i = 0; i < 4; i++)
        statuses.push(await status(client, '/searchmodel/anime', deathNote))
      expect(statuses).toEqual([200, 429, 429, 429])
      expect(await status(client, '/models')).toBe(200)
      expect(await status(client, '/models')).toBe(429)
      for (let i = 0; i < 4; i++) expect(await status(client, '/livez')).toBe(200)
    }
    expect(await server.stop()).toBe(0)
    const lines = server.output.stderr.split('\n').filter((line) => line.includes('"request"'))
    const found = lines.filter((line) => line.includes('notebook'))
    const logged = found.map((line) => JSON.parse(line) as { client: string })
    // Lines of two workers come in any order.
    expect(logged.sort((a, b) => a.client.localeCompare(b.client))).toMatchObject([
      { client: '1.1.1.1', query: deathNote.description, status: 200 },
      { client: '2.2.2.2', query: deathNote.description, status: 200 },
    ])
  })
})

describe('--workers', () => {
  it('warns where they are more than the processors', async () => {
    const processors = availableParallelism()
    const many = await openScene([...withoutSearch, '--workers', String(processors + 1)])
    expect(many.output.stderr).toContain(
      `warning: --workers ${processors + 1} is more than the ${processors} processors of this machine`,
    )
    expect(await many.stop()).toBe(0)
    expect(full.output.stderr.includes('is more than the')).toBe(processors < 2)
  })
})
