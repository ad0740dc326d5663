/** The collection of docs/data.md, whose ids are texts: imported, embedded, served, changed and exported. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { addKey } from '../clients/scene.js'
import { synoptic } from '../helpers/run-cli.js'
import { startServer, type ServerChild } from '../serve/child.js'

const page = readFileSync(fileURLToPath(new URL('../../docs/data.md', import.meta.url)), 'utf8')
const section = page.slice(page.indexOf('## A collection of your own'))
const blockOf = (language: string) =>
  section.split(`\`\`\`${language}\n`)[1]?.split('\n```')[0] ?? ''

let folder: string
let server: ServerChild | undefined
let key: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'synoptic-recipes-'))
  writeFileSync(join(folder, 'recipes.jsonl'), blockOf('json lines'))
  writeFileSync(join(folder, 'recipes.json'), blockOf('json'))
  run('data', 'import', 'recipes.json')
  run('embed', 'build', '--dataset', 'recipes')
  key = addKey(folder)
  const words = ['--workers', '1', '--rate-limit', '0', '--api-keys', 'keys.json']
  server = await startServer(folder, words)
})
afterAll(async () => {
  if (server !== undefined) await server.stop('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

function run(...words: string[]) {
  const { code, stdout, stderr } = synoptic(words, { cwd: folder })
  expect(code, stdout + stderr).toBe(0)
  return stdout
}

interface Result {
  readonly id: string
  readonly title: string
}

interface Body {
  readonly results: readonly (Result & { readonly because?: readonly Result[] })[]
  readonly titles: readonly Result[]
  readonly status: string
  readonly id: number
  readonly detail: string
  readonly [member: string]: unknown
}

async function send(method: string, path: string, body?: unknown) {
  const response = await fetch(`${server?.origin}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as Body }
}

const idsOf = ({ results }: Body) => results.map(({ id }) => id)

/** Waits until searches find a write. */
async function write(method: string, path: string, body?: unknown): Promise<Body> {
  const { status, body: task } = await send(method, path, body)
  expect(status, JSON.stringify(task)).toBe(202)
  return vi.waitFor(
    async () => {
      const { body: now } = await send('GET', `/tasks/${task.id}`)
      expect(now.status).toMatch(/done|failed/)
      return now
    },
    { timeout: 120_000, interval: 100 },
  )
}

describe('the collection of the documentation', () => {
  it('answers what the documentation requests', async () => {
    const [, body = ''] = /curl -d '(.*?)'/.exec(blockOf('sh')) ?? []
    const { body: found } = await send('POST', '/search/recipes', JSON.parse(body))
    expect(found.results[0]).toMatchObject({ id: 'ramen', title: 'Ramen' })
    expect(JSON.stringify(found)).not.toContain('@id')
    const { status, body: entry } = await send('GET', '/entries/recipes/ramen')
    expect(status).toBe(200)
    expect(entry).toMatchObject({ id: 'ramen', type: 'soup', year: 2021, time: 720 })
    expect(entry).not.toHaveProperty('@id')
    expect(entry.texts).toEqual({ method: expect.stringContaining('Noodles') as string })
  })

  it('has texts for ids on every route', async () => {
    const model = 'builtin/static-en'
    const similarity = { model, description: 'rice', page: 1, resultsPerPage: 2 }
    const searched = await send('POST', '/searchmodel/recipes', similarity)
    expect(idsOf(searched.body).sort()).toEqual(['paella', 'risotto'])
    const similar = await send('GET', `/similar/recipes/risotto?model=${model}&resultsPerPage=1`)
    expect(idsOf(similar.body)).toEqual(['paella'])
    expect(similar.body.meta).toMatchObject({ id: 'risotto' })
    const listed = await send('POST', '/browse/recipes', { type: 'salad', sort: 'time' })
    expect(idsOf(listed.body)).toEqual(['caesar-salad', 'fruit-salad'])
    const titled = await send('GET', '/titles/recipes?prefix=hotc')
    expect(titled.body.titles).toMatchObject([{ id: 'pancakes' }])
    const without = { query: 'rice with saffron', exclude: ['paella'], num_results: 1 }
    expect(idsOf((await send('POST', '/search/recipes', without)).body)).toEqual(['risotto'])
    const liked = { liked: [{ id: 'paella' }], num_results: 1 }
    const recommended = await send('POST', '/recommend/recipes', liked)
    expect(recommended.body.results).toMatchObject([
      { id: 'risotto', because: [{ id: 'paella', title: 'Paella' }] },
    ])
    const both = { query: 'rice', liked: [{ id: 'paella' }], num_results: 1 }
    expect(idsOf((await send('POST', '/recommend/recipes', both)).body)).toEqual(['risotto'])
    const joined = await send('POST', '/search', { query: 'noodles in broth' })
    expect(joined.body.results[0]).toMatchObject({ dataset: 'recipes', id: 'ramen' })
    const { body } = await send('GET', '/openapi.json')
    expect(JSON.stringify(body.paths)).toContain('"type":["integer","string"]')
  })

  it('is changed by texts', async () => {
    const method = 'Flour tortillas with beans, avocado and lime.'
    const tacos = { id: 'tacos/al pastor', title: 'Tacos', texts: { method } }
    expect(await write('PUT', '/entries/recipes', [tacos])).toMatchObject({ added: 1 })
    const path = `/entries/recipes/${encodeURIComponent(tacos.id)}`
    expect((await send('GET', path)).body).toMatchObject({ id: tacos.id, title: 'Tacos' })
    const found = await send('POST', '/search/recipes', { query: 'tortillas with avocado' })
    expect(found.body.results[0]).toMatchObject({ id: tacos.id })
    const change = { year: 2026, metadata: { time: 25 } }
    expect(await write('PATCH', path, change)).toMatchObject({ updated: 1 })
    expect((await send('GET', path)).body).toMatchObject({ id: tacos.id, year: 2026, time: 25 })
    expect(await write('PUT', '/entries/recipes', [tacos])).toMatchObject({ updated: 1 })
    expect(await write('DELETE', path)).toMatchObject({ deleted: 1 })
    expect((await send('GET', path)).status).toBe(404)
    const two = { ids: ['focaccia', 'never-there'] }
    const deleted = await write('POST', '/entries/recipes/delete', two)
    expect(deleted).toMatchObject({ deleted: 1, missing: 1 })
  })

  it.each([
    ['GET', '/entries/recipes/never-there', undefined, 404, /There is no recipes/],
    ['GET', '/entries/recipes/%20', undefined, 404, /There is no recipes/],
    ['GET', `/entries/recipes/${'x'.repeat(201)}`, undefined, 404, /There is no recipes/],
    ['DELETE', '/entries/recipes/never-there', undefined, 404, /There is no/],
    ['PATCH', '/entries/recipes/ramen', { metadata: { '@id': 'x' } }, 400, /another name than @id/],
    ['PUT', '/entries/recipes', [{ id: ' x', title: 'X' }], 400, /0\.id: expected the id/],
    ['PUT', '/entries/recipes', [{ id: '', title: 'X' }], 400, /0\.id: expected the id/],
    ['PUT', '/entries/recipes', [{ id: 1.5, title: 'X' }], 400, /0\.id: expected the id/],
    ['PUT', '/entries/recipes', [{ title: 'X' }], 400, /0\.id: required/],
    [
      'POST',
      '/search/recipes',
      { query: 'x', exclude: [null] },
      400,
      /exclude\.0: expected the id/,
    ],
    ['POST', '/recommend/recipes', { liked: [{ id: {} }] }, 400, /liked\.0\.id: expected the id/],
    ['POST', '/entries/recipes/delete', { ids: [true] }, 400, /ids\.0: expected the id/],
  ] as const)('refuses %s %s %j', async (method, path, body, status, problem) => {
    const answer = await send(method, path, body)
    expect(answer.body.detail).toMatch(problem)
    expect(answer.status).toBe(status)
  })

  it('has tools for models', async () => {
    const call = async (name: string, words: object) => {
      const params = { name, arguments: words }
      const response = await fetch(`${server?.origin}/mcp`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': '2025-06-18',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
      })
      const { result } = (await response.json()) as { result: { structuredContent: Body } }
      return result.structuredContent
    }
    expect(idsOf(await call('find_recipes', { query: 'ramen', count: 1 }))).toEqual(['ramen'])
    const entry = { dataset: 'recipes', id: 'apple-pie' }
    expect(await call('get_entry', entry)).toMatchObject({ id: 'apple-pie', title: 'Apple pie' })
    const similar = await call('similar', { dataset: 'recipes', id: 'paella', count: 1 })
    expect(idsOf(similar)).toEqual(['risotto'])
  })

  it.each(['jsonl', 'parquet'])('is exported as %s and imported again', (format) => {
    run('data', 'export', '--dataset', 'recipes', `out.${format}`)
    if (format === 'jsonl') {
      const lines = readFileSync(join(folder, 'out.jsonl'), 'utf8').trimEnd().split('\n')
      const ids = lines.map((line) => (JSON.parse(line) as Result).id)
      expect(ids).toContain('rye-bread')
      expect(lines.join('')).not.toContain('@id')
    }
    const report = run('data', 'import', '--data-dir', format, `out.${format}`)
    expect(report).toContain('recipes: 9 entries')
    const deleted = run('data', 'delete', '--data-dir', format, 'recipes', 'rye-bread')
    expect(deleted).toContain('1 entry deleted')
  })
})

it.each([
  [{ dataset: 'anime' }, /fields\.id: ids of anime are integers/],
  [{ fields: { id: { from: 'slug', as: 'date' }, title: 'name' } }, /fields\.id: expected "as"/],
  [{ fields: { id: 'slug', title: 'name' } }, /no usable id/],
])('a mapping with %j is refused', (change, problem) => {
  const scratch = mkdtempSync(join(tmpdir(), 'synoptic-recipes-'))
  try {
    writeFileSync(join(scratch, 'recipes.jsonl'), blockOf('json lines'))
    const mapping = { ...(JSON.parse(blockOf('json')) as object), ...change }
    writeFileSync(join(scratch, 'recipes.json'), JSON.stringify(mapping))
    const { code, stderr } = synoptic(['data', 'import', 'recipes.json'], { cwd: scratch })
    expect(stderr).toMatch(problem)
    expect(code).toBe(1)
  } finally {
    rmSync(scratch, { recursive: true })
  }
})
