/** A dataset of the operator's choice, from its import to every route of a real server. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { synoptic } from '../helpers/run-cli.js'
import { startServer, type ServerChild } from '../serve/child.js'
import { importSample } from '../serve/sample.js'
import { writeRecipes } from './recipes.js'

let folder: string
let server: ServerChild | undefined
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'synoptic-own-'))
  await importSample(folder)
  for (const words of [
    ['data', 'import', writeRecipes(folder)],
    ['embed', 'build'],
  ]) {
    const { code, stdout, stderr } = synoptic(words, { cwd: folder })
    expect(code, stdout + stderr).toBe(0)
  }
  server = await startServer(folder, ['--workers', '1', '--rate-limit', '0'])
})
afterAll(async () => {
  // It may not have started.
  if (server !== undefined) await server.stop('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

interface ToolResult {
  readonly tools: readonly { readonly name: string }[]
  readonly structuredContent: { readonly results: readonly Result[] }
}

interface Result {
  readonly dataset?: string
  readonly id: number
  readonly title: string
}

/** What the responses of the routes have that are used here. */
interface Body {
  readonly results: readonly Result[]
  readonly titles: readonly Result[]
  readonly datasets: object
  readonly paths: Readonly<Record<string, { readonly post?: { readonly operationId: string } }>>
}

const titlesOf = ({ results }: Body) => results.map(({ title }) => title)

async function send(path: string, body?: object) {
  const response = await fetch(`${server?.origin}${path}`, {
    ...(body && {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  })
  return { status: response.status, body: (await response.json()) as Body }
}

describe('a dataset of recipes', () => {
  it('joins those that are there', async () => {
    const { body } = await send('/')
    expect(Object.keys(body.datasets)).toEqual(['anime', 'manga', 'recipes'])
    expect(body).toMatchObject({ status: 'ok', reasons: [] })
  })

  it('is searched by a description', async () => {
    const { status, body } = await send('/search/recipes', {
      query: 'noodles in broth with an egg',
    })
    expect(status).toBe(200)
    expect(body.results[0]).toMatchObject({ id: 2, title: 'Ramen' })
    const filtered = await send('/search/recipes', {
      query: 'bread',
      where: { minutesNeeded: { to: 300 }, course: 'bread' },
    })
    expect(titlesOf(filtered.body)).toEqual(['Focaccia'])
  })

  it('has every other route', async () => {
    const model = 'builtin/static-en'
    const similarity = { model, description: 'rice with saffron', page: 1, resultsPerPage: 2 }
    const found = await send('/searchmodel/recipes', similarity)
    expect(titlesOf(found.body).sort()).toEqual(['Paella', 'Risotto'])
    expect((await send('/entries/recipes/7')).body).toMatchObject({ id: 7, title: 'Risotto' })
    expect((await send('/titles/recipes?prefix=ris')).body.titles[0]).toMatchObject({ id: 7 })
    const similar = await send(`/similar/recipes/7?model=${model}&resultsPerPage=1`)
    expect(similar.body).toMatchObject({
      results: [{ title: 'Paella' }],
      meta: { dataset: 'recipes' },
    })
    const listed = await send('/browse/recipes', { sort: 'minutesNeeded', num_results: 1 })
    expect(listed.body.results).toMatchObject([{ title: 'Rye bread' }])
    expect((await send('/facets/recipes')).status).toBe(200)
  })

  it('is searched together with others, or alone', async () => {
    const query = 'noodles in broth with an egg'
    const all = await send('/search', { query, num_results: 3 })
    expect(all.body.results[0]).toMatchObject({ dataset: 'recipes', title: 'Ramen' })
    const some = await send('/search', { query, datasets: ['anime', 'manga'], num_results: 50 })
    expect(some.body.results.length).toBeGreaterThan(0)
    const names = some.body.results.map(({ dataset }) => dataset)
    expect(new Set(names)).toEqual(new Set(['anime', 'manga']))
    const unknown = await send('/search', { query, datasets: ['anime', 'films'] })
    expect(unknown).toMatchObject({
      status: 400,
      body: { detail: 'datasets.1: expected anime or manga or recipes, received films' },
    })
    expect((await send('/search', { query, datasets: [] })).status).toBe(400)
  })

  it('is in the documentation and among the tools of models', async () => {
    const { body } = await send('/openapi.json')
    expect(Object.keys(body.paths)).toContain('/entries/recipes/{id}')
    expect(body.paths['/search/recipes']?.post?.operationId).toBe('searchRecipes')
    const call = async (method: string, params: object) => {
      const response = await fetch(`${server?.origin}/mcp`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': '2025-06-18',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      })
      return ((await response.json()) as { readonly result: ToolResult }).result
    }
    const { tools } = await call('tools/list', {})
    expect(tools.map(({ name }) => name)).toContain('find_recipes')
    const found = await call('tools/call', { name: 'find_recipes', arguments: { query: 'ramen' } })
    expect(found.structuredContent.results[0]).toMatchObject({ id: 2, title: 'Ramen' })
    const entry = { name: 'get_entry', arguments: { dataset: 'recipes', title: 'apple pie' } }
    expect((await call('tools/call', entry)).structuredContent).toMatchObject({ id: 6 })
  })

  it.each(['/search/films', '/search/Recipes', '/entries/films/1', '/search/recipes%2f'])(
    'is the only one of that name: %s is not there',
    async (path) => {
      expect((await send(path)).status).toBe(404)
    },
  )

  it('is exported, and imported again under its name', () => {
    const options = { cwd: folder }
    const out = synoptic(['data', 'export', '--dataset', 'recipes', 'out.jsonl'], options)
    expect(out.code, out.stderr).toBe(0)
    const back = synoptic(['data', 'import', '--data-dir', 'other', 'out.jsonl'], options)
    expect(back.code, back.stderr).toBe(0)
    expect(back.stdout).toContain('recipes')
    const search = ['search', '--dataset', 'recipes', '--json', '--results', '1', 'apples']
    const found = synoptic(search, options)
    expect(found.code, found.stderr).toBe(0)
    expect(JSON.parse(found.stdout)).toMatchObject({ dataset: 'recipes', title: 'Apple pie' })
    const missing = synoptic(['search', '--dataset', 'films', 'apples'], options)
    expect(missing.code).not.toBe(0)
    expect(missing.stderr).toContain('The films dataset is not installed.')
  })
})

it.each(['Recipes', 'my recipes', '../recipes', '1st', 'all', 'both', '', 'x'.repeat(41)])(
  'the name %j is refused',
  (name) => {
    const scratch = mkdtempSync(join(tmpdir(), 'synoptic-own-'))
    try {
      const { code, stderr } = synoptic(['data', 'import', writeRecipes(scratch, name)], {
        cwd: scratch,
      })
      expect(stderr).toMatch(/dataset: expected anime, manga, or a name of at most 40/)
      expect(code).toBe(1)
    } finally {
      rmSync(scratch, { recursive: true })
    }
  },
)
