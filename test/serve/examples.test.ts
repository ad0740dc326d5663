/** What the documentation offers to try, on the works that ship. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { compile, operationOf, type OpenApi } from '../http/openapi-document.js'
import { startServer } from './child.js'
import { until } from './load.js'

const folder = mkdtempSync(join(tmpdir(), 'synoptic-examples-'))
const server = await startServer(folder, ['--rate-limit', '0', '--workers', '1'])
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true })
})

const document = (await (await fetch(`${server.origin}/openapi.json`)).json()) as OpenApi
const examples = Object.entries(document.paths).flatMap(([path, { post }]) =>
  Object.entries(post?.requestBody?.content['application/json'].examples ?? {}).map(
    ([title, { value }]) => ({ path, title, value }),
  ),
)
const gets = Object.keys(document.paths).filter((path) => document.paths[path]?.get !== undefined)

/** The answer, which is as the document says. */
async function answerOf(path: string, method: 'get' | 'post', response: Response) {
  expect(response.status).toBe(200)
  const [type = '', { schema = {} } = {}] =
    Object.entries(operationOf(document, path, method).responses['200']?.content ?? {})[0] ?? []
  const validate = compile(document, schema)
  const answer: unknown = await (type === 'application/json' ? response.json() : response.text())
  validate(answer)
  expect(validate.errors).toBeNull()
  return answer
}

const isThere = async (path: string) => (await fetch(`${server.origin}${path}`)).ok
const isSearch = (path: string) => /^\/search(?:model)?\//.test(path)

const post = (path: string, value: unknown) =>
  fetch(`${server.origin}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify(value),
  })

describe('the documentation of a server that has just begun', () => {
  it('offers two questions for every search', () => {
    const paths = Object.keys(document.paths).filter(isSearch)
    expect(paths.length).toBeGreaterThan(3)
    expect(examples.filter(({ path }) => isSearch(path))).toHaveLength(paths.length * 2)
  })

  it.each(examples.filter(({ path }) => !isSearch(path)))(
    '$path answers its example, $title, as documented',
    async ({ path, value }) => {
      await answerOf(path, 'post', await post(path, value))
    },
  )

  it.each(examples.filter(({ path }) => isSearch(path)))('$path finds $title', async (example) => {
    const { path, title, value } = example
    const response = await post(path, value)
    const { results } = (await answerOf(path, 'post', response)) as { results: { title: string }[] }
    expect(results[0]?.title).toBe(title)
    expect(results).toHaveLength(5)
  })

  it('shows an entry that /search really answers', async () => {
    const { RankedEntry } = document.components.schemas as Record<
      string,
      { examples: { score: number }[] }
    >
    const { path, value } = examples.find(({ path }) => path === '/search/anime') ?? {}
    const response = await fetch(`${server.origin}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(value),
    })
    const { results } = (await response.json()) as { results: unknown[] }
    const [example] = RankedEntry?.examples ?? []
    // It moves a little with every work that is added.
    const score: unknown = expect.closeTo(example?.score ?? NaN, 1)
    expect(results[0]).toEqual({ ...example, score })
  })

  it.each(gets)('%s answers as documented', async (path) => {
    const id = path.startsWith('/v1/models/') ? encodeURIComponent('builtin/static-en') : '1'
    const known = path.replace('{name}', 'builtin/static-en').replace('{id}', id)
    // Maps are made beside the server, once it is ready.
    if (path.startsWith('/map/')) await until(() => isThere(known))
    const query = path.startsWith('/titles/') ? '?prefix=a' : ''
    const response = await fetch(`${server.origin}${known}${query}`)
    await answerOf(path, 'get', response)
  })
})
