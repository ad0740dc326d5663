/** A first start, with a few works: what it prints and leaves, and what its documentation offers to try, on all works. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { smallProgram } from '../helpers/small-program.js'
import { compile, operationOf, type OpenApi } from '../http/openapi-document.js'
import { ask, deathNote, startServer } from './child.js'
import { until } from './load.js'
import { worksServer } from './sample.js'

const folder = mkdtempSync(join(tmpdir(), 'synoptic-first-start-'))
const server = await startServer(folder, [], [], {}, await smallProgram())
const works = await worksServer()
afterAll(() => {
  server.child.kill('SIGKILL')
  rmSync(folder, { recursive: true })
})

describe('the first start', () => {
  it('prints its address, its models and its data', () => {
    const { stdout } = server.output
    expect(stdout).toMatch(
      /anime: \d+ entries, \d synopsis columns?, searched by builtin\/static-en/,
    )
    expect(stdout).toMatch(/manga: \d+ entries/)
    expect(stdout).toMatch(/kernel [\w-]+, \d+ threads?, one process/)
  })

  it('prints commands that find what they describe when they are pasted', ({ skip }) => {
    if (spawnSync('curl', ['--version']).error) skip('there is no curl')
    const commands = server.output.stdout.match(/curl .*$/gm) ?? []
    const found = commands.map((command) => {
      const { stdout, status } = spawnSync('sh', ['-c', `${command} -s`], { encoding: 'utf8' })
      expect(status).toBe(0)
      return (JSON.parse(stdout) as { results: { title: string }[] }).results[0]?.title
    })
    // The two that most people know.
    expect(found).toEqual(['Shingeki no Kyojin', 'Death Note'])
  })

  it('searches both datasets, and is healthy', async () => {
    expect((await ask(server.origin, deathNote, 'manga')).status).toBe(200)
    const health = (await (await fetch(server.origin)).json()) as Record<string, unknown>
    // Searches use a GPU only on request.
    expect(health).toMatchObject({ status: 'ok', cuda_searches: { available: false } })
    expect((await fetch(`${server.origin}/readyz`)).status).toBe(200)
  })

  it('lists the models that are allowed but not installed separately', async () => {
    const body = { ...deathNote, model: 'encoders/sentence-t5-xxl' }
    const answer = await ask(server.origin, body)
    expect(answer.status).toBe(404)
    expect(answer.body).toMatchObject({ type: 'urn:synoptic:problem:model-not-installed' })
    const known = (await ask(server.origin, deathNote, 'manga')).body as {
      results: { id: number }[]
    }
    const path = `/similar/manga/${known.results[0]?.id}?model=encoders/sentence-t5-xxl`
    const similar = await fetch(`${server.origin}${path}`)
    expect(similar.status).toBe(404)
    expect(await similar.json()).toMatchObject({
      type: 'urn:synoptic:problem:model-not-installed',
      error: expect.stringContaining('`synoptic models pull') as string,
    })
    expect(server.output.stderr).not.toContain('ModelNotInstalledError')
  })
})

const document = (await (await fetch(`${server.origin}/openapi.json`)).json()) as OpenApi
const examples = Object.entries(document.paths).flatMap(([path, { post }]) =>
  Object.entries(post?.requestBody?.content['application/json'].examples ?? {}).map(
    ([title, { value }]) => ({ path, title, value }),
  ),
)
const gets = Object.keys(document.paths).filter((path) => document.paths[path]?.get !== undefined)
const isSearch = (path: string) => /^\/search(?:model)?\//.test(path)

/** Changes need keys, and this server has none. */
const isChange = (path: string) => path.startsWith('/tasks') || path.endsWith('/delete')
const searched = examples.filter(({ path }) => isSearch(path))
const shown = examples.filter(({ path }) => !isSearch(path) && !isChange(path))

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

async function expectWritesOff(response: Response) {
  expect(response.status).toBe(404)
  expect(await response.json()).toMatchObject({ type: 'urn:synoptic:problem:writes-off' })
}

const isThere = async (path: string) => (await fetch(`${server.origin}${path}`)).ok

const post = (path: string, value: unknown, { origin }: { readonly origin: string } = works) =>
  fetch(`${origin}${path}`, {
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
    expect(searched).toHaveLength(paths.length * 2)
  })

  it.each(shown)('$path answers its example, $title, as documented', async ({ path, value }) => {
    await answerOf(path, 'post', await post(path, value))
  })

  it.each(examples.filter(({ path }) => isChange(path)))(
    '$path refuses its example, $title, without keys',
    async ({ path, value }) => {
      await expectWritesOff(await post(path, value, server))
    },
  )

  it.each(gets.filter(isChange))('%s is refused without keys', async (path) => {
    await expectWritesOff(await fetch(`${server.origin}${path.replace('{id}', '1')}`))
  })

  it.each(searched)('$path finds $title', async (example) => {
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
    const response = await fetch(`${works.origin}${path}`, {
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

  it.each(gets.filter((path) => !isChange(path)))('%s answers as documented', async (path) => {
    const id = path.startsWith('/v1/models/') ? encodeURIComponent('builtin/static-en') : '1'
    const known = path.replace('{name}', 'builtin/static-en').replace('{id}', id)
    const isMap = path.startsWith('/map')
    // Maps are made in the background, once it is ready.
    if (isMap) await until(() => isThere(known))
    const query = path.startsWith('/titles/') ? '?prefix=a' : ''
    const response = await fetch(`${isMap ? server.origin : works.origin}${known}${query}`)
    await answerOf(path, 'get', response)
  })
})

describe('the end of a first start', () => {
  it('leaves a log file, and ends with status 0 when it is stopped', async () => {
    expect(await server.stop('SIGTERM')).toBe(0)
    const lines = readFileSync(join(folder, 'logs', 'api.log'), 'utf8')
      .trim()
      .split('\n')
    const records = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(records).toContainEqual(
      expect.objectContaining({ method: 'POST', path: '/searchmodel/manga', status: 200 }),
    )
    expect(JSON.stringify(records)).not.toContain('notebook')
    const names = readdirSync(join(folder, 'data'))
    expect(names.map((name) => name.replace(/-[0-9a-f]{16}/, '')).sort()).toEqual([
      'catalogue.sqlite',
      'catalogue.sqlite.anime.rows',
      'catalogue.sqlite.manga.rows',
    ])
  })
})
