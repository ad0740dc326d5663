/** POST /search over the real rankers: what the answers of errors and devices say. */
import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ProblemBody } from '#synoptic/server/problems/problem.js'
import { beforeAll, describe, expect, it } from 'vitest'
import { row } from '../catalogue/shelf.js'
import { forgetTokens } from '../embed/older-build.js'
import { fixtures } from '../encoders/cross-models.js'
import { type Library, openLibrary } from '../search/library.js'
import { createTestApp, post, type TestApp } from './harness.js'

const columns = ['synopsis']
const stories = [
  ['Notebook', 'tv', 'A student finds a book that kills whoever is named in it.'],
  ['Carpets', 'tv', 'Two weavers quarrel about the pattern of a carpet.'],
  ['Kettle', 'light_novel', 'A kettle is reborn as a knight who sings.'],
  ['Lighthouse', 'manga', 'A keeper counts the ships that pass in the fog.'],
] as const
const rows = stories.map(([title, type, text], id) => row(id + 1, { title, type, texts: [text] }))
const anime = { name: 'anime', columns, rows } as const
const manga = { name: 'manga', columns, rows } as const

interface Answer {
  readonly results: readonly { readonly title: string; readonly score: number }[]
  readonly device_used: string
  readonly candidates_scored: number
  readonly entries_total: number
  readonly warnings?: readonly string[]
}

let library: Library
let app: TestApp
beforeAll(async () => {
  library = await openLibrary([anime, manga])
  app = createTestApp({}, { rankedSearch: library.search.ranked })
  const own = join(library.settings.modelsDir, 'fine-tuned')
  cpSync(join(fixtures, 'bert'), join(own, 'sound'), { recursive: true })
  cpSync(join(fixtures, 'bert'), join(own, 'broken'), { recursive: true })
  writeFileSync(join(own, 'broken/onnx/model.onnx'), 'no network')
})

const ask = async (path: string, query: string) => {
  const response = await post(app, path, { query })
  expect(response.status).toBe(200)
  return (await response.json()) as Answer
}

async function problemOf(test: TestApp, path: string): Promise<ProblemBody> {
  const response = await post(test, path, { query: 'a secret word' })
  expect(response.headers.get('content-type')).toBe('application/problem+json')
  const body = (await response.json()) as ProblemBody
  expect(body.status).toBe(response.status)
  expect(JSON.stringify(body)).not.toContain('secret')
  expect(JSON.stringify(body)).not.toContain(library.settings.modelsDir)
  return body
}

describe('the right story comes first', () => {
  it.each([
    ['/search/anime', 'whoever is written in this notebook dies', 'Notebook'],
    ['/search/anime', 'an argument over rugs', 'Carpets'],
    ['/search/manga', 'a man watches the boats from a tower by the sea', 'Lighthouse'],
    ['/search/manga?include_light_novels=true', 'reincarnated as a teapot', 'Kettle'],
  ])('of %s for %j', async (path, query, title) => {
    const { results } = await ask(path, query)
    expect(results[0]?.title).toBe(title)
    expect(results[0]?.score).toBeGreaterThan(results[1]?.score ?? 1)
  })
})

it.each([
  ['light_novel', ['Kettle']],
  ['Light Novel', ['Kettle']],
  [
    ['light_novel', 'manga'],
    ['Kettle', 'Lighthouse'],
  ],
  [['manga', 'novel'], ['Lighthouse']],
])('a filter of the type %j finds %j', async (type, titles) => {
  const response = await post(app, '/search/manga', { query: 'a kettle in the fog', type })
  const { results } = (await response.json()) as Answer
  expect(results.map(({ title }) => title).sort()).toEqual(titles)
})

it('leaves light novels out unless they are requested', async () => {
  const without = await ask('/search/manga', 'reincarnated as a teapot')
  expect(without.results.map(({ title }) => title)).not.toContain('Kettle')
  expect(without).toMatchObject({ entries_total: 3, candidates_scored: 3 })
})

it.each(['', '&model_name=sound'])('says that cuda:7 is not there%s', async (model) => {
  const answer = await ask(`/search/anime?device=cuda:7${model}`, 'a carpet')
  expect(answer.device_used).toBe('cpu')
  expect(answer.warnings).toEqual([expect.stringContaining('cuda:7')])
})

describe('a server error', () => {
  it('of a broken model says which kind, and the next model works', async () => {
    const { status, type } = await problemOf(app, '/search/anime?model_name=broken')
    expect([status, type]).toEqual([500, 'urn:synoptic:problem:model-load-failed'])
    expect((await ask('/search/anime?model_name=sound', 'a carpet')).results).toHaveLength(3)
    expect((await ask('/search/anime', 'a carpet')).results[0]?.title).toBe('Carpets')
  })

  it.each(['', '?candidates=all'])('reports missing embeddings%s', async (query) => {
    const bare = await openLibrary([anime], { isEmbedded: false })
    const test = createTestApp({}, { rankedSearch: bare.search.ranked })
    const { status, type } = await problemOf(test, `/search/anime${query}`)
    expect([status, type]).toEqual([500, 'urn:synoptic:problem:embeddings-missing'])
    const log = JSON.stringify(test.log)
    expect(log).toContain('synoptic embed build --dataset anime --model builtin/static-en')
  })

  it('reports embeddings that are older than token lists, and how to mend them', async () => {
    const older = await openLibrary([anime])
    forgetTokens(join(older.settings.embeddingsDir, 'anime/builtin/static-en/manifest.json'))
    const test = createTestApp({}, { rankedSearch: older.search.ranked })
    const { status, type } = await problemOf(test, '/search/anime')
    expect([status, type]).toEqual([500, 'urn:synoptic:problem:embeddings-stale'])
    const log = JSON.stringify(test.log)
    expect(log).toContain('the token lists of synopsis are missing, which /search needs')
    expect(log).toContain('synoptic embed build --dataset anime --model builtin/static-en')
  })

  it('reports a dataset that is not there', async () => {
    const half = await openLibrary([manga])
    const test = createTestApp({}, { rankedSearch: half.search.ranked })
    const { status, type } = await problemOf(test, '/search/anime')
    expect([status, type]).toEqual([500, 'urn:synoptic:problem:dataset-missing'])
  })

  it('reports a model whose files are not here', async () => {
    const { status, type } = await problemOf(app, '/search/anime?model_name=bge-reranker-base')
    expect([status, type]).toEqual([404, 'urn:synoptic:problem:model-not-installed'])
  })
})
