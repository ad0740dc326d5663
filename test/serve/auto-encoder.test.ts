/** `--search-encoder auto`: the works are embedded while a server runs, which then searches with the better encoder. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { chooseEncoder } from '#synoptic/search/composition/choose-encoder.js'
import { embeddingPaths } from '#synoptic/data/embed/paths.js'
import { withBuildLock } from '#synoptic/base/util/build-lock.js'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { copyMadeOnce } from '../helpers/made-once.js'
import { synopticHere } from '../helpers/run-here.js'
import { startServer, type ServerChild } from './child.js'
import { fewTexts, queryOfThird, writeTexts } from './few-texts.js'
import { until } from './load.js'

const model = 'builtin/minilm-anime'
const scratch = mkdtempSync(join(tmpdir(), 'synoptic-auto-encoder-'))
afterAll(() => rmSync(scratch, { recursive: true }))
let server: ServerChild
afterEach(() => server.stop())
let made = 0

/** A folder with a catalogue that is embedded by the built-in model alone. */
async function openFolder(): Promise<string> {
  const folder = join(scratch, String((made += 1)))
  await copyMadeOnce('few-texts', folder, async (first) => {
    writeTexts(first)
    await embed(first)
  })
  return folder
}

async function embed(folder: string, ...words: string[]): Promise<void> {
  const { code, stderr } = await synopticHere(['embed', 'build', ...words], {
    cwd: folder,
    env: {},
  })
  expect(code, stderr).toBe(0)
}

const start = (folder: string, ...flags: string[]) =>
  startServer(folder, ['--search-encoder', 'auto', '--rate-limit', '0', '--workers', '1', ...flags])

async function search(query: string) {
  const response = await fetch(`${server.origin}/search/anime`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  })
  expect(response.status).toBe(200)
  return ((await response.json()) as { results: { id: number; score: number }[] }).results
}

/** What loads a model is a search with it: warming up is one. */
async function hasSwitched(): Promise<boolean> {
  const state = (await (await fetch(`${server.origin}/`)).json()) as { models_loaded: string[] }
  return state.models_loaded.includes(model)
}

/** The processes that embed works for the server; also those that embedded for one that is gone, by their numbers. */
function embedders(pids?: readonly string[]): string[] {
  const { stdout } = spawnSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' })
  const rows = stdout.split('\n').map((line) => line.trim().split(/\s+/))
  return rows.flatMap(([pid = '', parent, ...args]) => {
    const isOurs = pids?.includes(pid) ?? parent === String(server.child.pid)
    return isOurs && args.join(' ').includes('embed-process.js') ? [pid] : []
  })
}

const manifestOf = (folder: string, name = model): string => {
  const location = { embeddingsDir: join(folder, 'embeddings'), dataset: 'anime', model: name }
  return embeddingPaths(location, ['synopsis']).manifest
}

/** Holds the lock of a build, as another process does; returns a function that releases it. */
function beginBuild(folder: string, name = model): () => Promise<void> {
  let release = (): void => undefined
  const ended = new Promise<void>((resolve) => (release = resolve))
  const building = withBuildLock(manifestOf(folder, name), () => ended)
  return async () => {
    release()
    await building
  }
}

describe('--search-encoder auto', () => {
  it('searches with the small encoder first, and with the better one once it has read the works', async () => {
    const folder = await openFolder()
    const finish = beginBuild(folder)
    server = await start(folder)
    // It waits for the lock of another build, so this is before.
    await until(() => embedders().length > 0)
    const [before] = await search('kill their teacher')
    expect(before?.id).toBe(1)
    expect(await hasSwitched()).toBe(false)
    await finish()
    await until(hasSwitched)
    const [first] = await search(queryOfThird)
    expect(first?.id).toBe(3)
    await until(() => embedders().length === 0)
    expect(server.output.stderr).toContain('the works are embedded')
    // Vectors of callers' texts stay what they were.
    const response = await fetch(`${server.origin}/v1/embeddings`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ input: 'a robot goes to school' }),
    })
    expect(await response.json()).toMatchObject({ model: 'builtin/static-en' })
  })

  it('is ready once /search answers, where nothing was embedded before', async () => {
    const folder = await openFolder()
    writeTexts(folder, [...fewTexts, 'Another catalogue.'])
    rmSync(join(folder, 'embeddings'), { recursive: true })
    mkdirSync(dirname(manifestOf(folder, 'builtin/static-en')), { recursive: true })
    const finish = beginBuild(folder, 'builtin/static-en')
    server = await start(folder)
    await until(() => embedders().length > 0)
    expect((await fetch(`${server.origin}/readyz`)).status).toBe(503)
    await finish()
    await until(async () => (await fetch(`${server.origin}/readyz`)).status === 200)
    expect((await search('kill their teacher'))[0]?.id).toBe(1)
  })

  it('is not ready with the vectors of an encoder alone, which the ranker cannot use', async () => {
    const folder = await openFolder()
    rmSync(join(folder, 'embeddings'), { recursive: true })
    await embed(folder, '--model', model)
    server = await start(folder, '--search-encoder', model)
    const response = await fetch(`${server.origin}/readyz`)
    expect(response.status).toBe(503)
    expect(await response.json()).toMatchObject({
      status: 'unavailable',
      reasons: [
        expect.stringContaining('embed build --dataset anime --model builtin/static-en'),
        expect.anything(),
      ],
    })
  })

  it('embeds new texts after a reload, and searches them at once', async () => {
    const folder = await openFolder()
    await embed(folder, '--model', model)
    server = await start(folder, '--workers', '2')
    writeTexts(folder, [
      ...fewTexts,
      'A cat opens a bakery on the moon and sells bread to rabbits.',
    ])
    await embed(folder)
    server.child.kill('SIGHUP')
    await until(async () => (await search('cat bakery on the moon')).some(({ id }) => id === 5))
    await until(() => server.output.stderr.includes('the works are embedded'))
    await until(() => embedders().length === 0)
    expect((await search('a feline baker in space'))[0]?.id).toBe(5)
    const status = await synopticHere(['embed', 'status'], { cwd: folder, env: {} })
    expect(status.stdout).toMatch(new RegExp(`${model}: current, 5 rows`))
  })

  const goesOn = 'leaves no process behind when the server stops, and goes on at the next start'
  it(goesOn, { tags: ['nightly'] }, async () => {
    const folder = await openFolder()
    const finish = beginBuild(folder)
    server = await start(folder)
    await until(() => embedders().length > 0)
    const pids = embedders()
    expect(await server.stop()).toBe(0)
    await until(() => embedders(pids).length === 0)
    await finish()
    server = await start(folder)
    await until(hasSwitched)
  })

  it('ends with a server that is killed', async () => {
    const folder = await openFolder()
    const building = withBuildLock(manifestOf(folder), async () => {
      server = await start(folder)
      await until(() => embedders().length > 0)
      const pids = embedders()
      expect(await server.stop('SIGKILL')).toBeNull()
      await until(() => embedders(pids).length === 0)
    })
    await building
  })

  it('says why works cannot be embedded, and searches on with the small encoder', async () => {
    const folder = await openFolder()
    writeFileSync(dirname(manifestOf(folder)), 'not a folder')
    server = await start(folder)
    await until(() => server.output.stderr.includes('works could not be embedded'))
    expect(server.output.stderr).toMatch(/"problem":"[^"]*minilm-anime[^"]*"/)
    expect((await search('kill their teacher'))[0]?.id).toBe(1)
    expect(await hasSwitched()).toBe(false)
  })

  it('leaves vectors in a search engine with the small encoder', async () => {
    const folder = await openFolder()
    await embed(folder, '--model', model)
    const [dataDir, embeddingsDir, modelsDir] = ['data', 'embeddings', 'models'].map((name) =>
      join(folder, name),
    ) as [string, string, string]
    const settings = { dataDir, embeddingsDir, modelsDir, searchEncoder: 'auto' }
    expect(await chooseEncoder(settings)).toBe(model)
    expect(await chooseEncoder({ ...settings, index: 'opensearch' })).toBe('builtin/static-en')
    expect(await chooseEncoder({ ...settings, embeddingsDir: dataDir })).toBe('builtin/static-en')
  })

  it.each([
    ['another encoder is set', ['--search-encoder', 'builtin/static-en']],
    ['/search is not served', ['--enable-routes', 'searchmodel']],
  ])('embeds nothing where %s', async (_, flags) => {
    const folder = await openFolder()
    server = await start(folder, ...flags)
    expect(await server.stop()).toBe(0)
    expect(server.output.stderr).not.toContain('embedding the works')
    expect(existsSync(manifestOf(folder))).toBe(false)
  })
})
