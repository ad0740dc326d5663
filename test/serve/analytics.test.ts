/** `--analytics`: what is searched, by HTTP and MCP, over several workers. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SearchSummary } from '#synoptic/server/schemas/search-summary.js'
import { addKey } from '../clients/scene.js'
import { cli, startServer } from './child.js'
import { importSample } from './sample.js'

let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'synoptic-analytics-'))
  await importSample(folder)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function searchOf(origin: string, path: string, body: object, headers = {}) {
  const response = await fetch(`${origin}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  expect(response.status, await response.clone().text()).toBe(200)
  await response.arrayBuffer()
}

const summaryOf = async (origin: string, headers = {}) =>
  (await (await fetch(`${origin}/status/searches`, { headers })).json()) as SearchSummary

const linesOf = (file: string) =>
  readFileSync(join(folder, file), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)

describe.each([1, 2])('--analytics with %i workers', (workers) => {
  it('counts every search once, and writes a line of each', async () => {
    const file = `searches-${workers}/lines.jsonl`
    const words = ['--workers', String(workers), '--analytics', file, '--rate-limit', '0']
    const server = await startServer(folder, words)
    const { origin } = server
    const query = 'A notebook  that kills'
    const headers = { 'x-forwarded-for': '203.0.113.9', 'user-agent': 'somebody' }
    for (let at = 0; at < 6; at += 1) {
      // Each connection may reach another worker.
      await searchOf(origin, '/search/anime', { query }, { ...headers, connection: 'close' })
    }
    await searchOf(origin, '/search/anime', { query, page: 2 })
    await searchOf(origin, '/search/anime', { queries: ['a NOTEBOOK that kills', 'comedy'] })
    await searchOf(origin, '/search', { query: 'zxqv wvutz' })
    const model = 'builtin/static-en'
    await searchOf(origin, '/searchmodel/manga', {
      model,
      description: 'a pirate',
      page: 1,
      resultsPerPage: 3,
    })
    const call = { name: 'find_anime', arguments: { query: 'a notebook that kills' } }
    await searchOf(
      origin,
      '/mcp',
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call },
      { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' },
    )
    const summary = await summaryOf(origin)
    expect(summary.searches).toBe(11)
    expect(summary.topQueries[0]).toEqual({
      dataset: 'anime',
      query: 'a notebook that kills',
      count: 8,
    })
    expect(summary.unmatchedQueries).toEqual([{ dataset: 'all', query: 'zxqv wvutz', count: 1 }])
    const { latency } = summary
    expect(latency.reduce((sum, { count }) => sum + count, 0)).toBe(11)
    expect(latency.find(({ kind }) => kind === 'similarity')).toMatchObject({ count: 1 })
    expect(latency.every(({ medianMs, p95Ms }) => medianMs > 0 && p95Ms >= medianMs)).toBe(true)
    expect(await server.stop()).toBe(0)
    const lines = linesOf(file)
    expect(lines).toHaveLength(11)
    for (const line of lines) {
      expect(Object.keys(line)).toEqual([
        'at',
        'dataset',
        'query',
        'kind',
        'results',
        'found',
        'ms',
      ])
    }
    expect(lines.filter(({ found }) => found === false)).toMatchObject([
      { dataset: 'all', query: 'zxqv wvutz' },
    ])
    expect(JSON.stringify(lines)).not.toMatch(/203\.0\.113|127\.0\.0\.1|somebody/)
  })
})

it('writes no keys, and shows its counts to administrators alone', async () => {
  const key = addKey(folder)
  const words = ['--workers', '1', '--analytics', 'keyed.jsonl', '--api-keys', 'keys.json']
  const server = await startServer(folder, words)
  const headers = { authorization: `Bearer ${key}` }
  await searchOf(server.origin, '/search/anime', { query: `a notebook ${key}` }, headers)
  const refused = await fetch(`${server.origin}/status/searches`, { headers })
  expect(refused.status).toBe(403)
  expect(await server.stop()).toBe(0)
  expect(linesOf('keyed.jsonl')).toHaveLength(1)
  expect(readFileSync(join(folder, 'keyed.jsonl'), 'utf8')).not.toContain(key)
})

it('is off by default', async () => {
  const server = await startServer(folder, ['--workers', '1'])
  await searchOf(server.origin, '/search/anime', { query: 'a notebook' })
  expect((await fetch(`${server.origin}/status/searches`)).status).toBe(404)
  expect(await server.stop()).toBe(0)
})

it('refuses a folder at the start, with the name of the setting', () => {
  mkdirSync(join(folder, 'taken.jsonl'))
  const words = ['serve', '--workers', '1', '--port', '0', '--analytics', 'taken.jsonl']
  const { status, stderr } = spawnSync(process.execPath, [cli, ...words], {
    cwd: folder,
    encoding: 'utf8',
    timeout: 170_000,
  })
  expect(stderr).toMatch(/--analytics: expected a regular file.*a folder/)
  expect(status).toBe(2)
})
