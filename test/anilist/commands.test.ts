import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { AnilistSettings } from '#synoptic/anilist/command-line.js'
import { withBuildLock } from '#synoptic/util/build-lock.js'
import { anilistCheck } from '#synoptic/cli/anilist.js'
import { createDataPull } from '#synoptic/cli/data-pull.js'
import { closedPort } from '../helpers/sockets.js'
import { useHarness } from './harness.js'
import { pageOf, servePages } from './media-pages.js'

const h = useHarness()
const printed = { out: '', err: '' }

beforeEach(() => {
  printed.out = ''
  printed.err = ''
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed.out += String(text)
    return true
  })
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    printed.err += String(text)
    return true
  })
})
afterEach(() => {
  vi.restoreAllMocks()
})

const settings = (graphqlUrl = h.server.url): AnilistSettings => ({
  dataDir: h.folder,
  embeddingsDir: '',
  modelsDir: '',
  graphqlUrl,
  anilistConfig: h.configPath,
})

describe('anilist check', () => {
  const check = () => anilistCheck.run([], settings())

  test.each([
    [200, 0, 'is valid'],
    [429, 0, 'is valid'],
    [500, 0, 'is valid'],
    [401, 1, 'is not valid'],
    [400, 1, 'is not valid'],
  ])('answers status %i with exit status %i', async (status, expected, said) => {
    await h.configure({ ACCESS_TOKEN: 'abc' })
    h.server.script({ status })
    expect(await check()).toBe(expected)
    expect(printed.out).toContain(said)
    expect(h.server.received[0]?.headers.authorization).toBe('Bearer abc')
  })

  test('names the file that wants the new token', async () => {
    h.server.script({ status: 401 })
    await check()
    expect(printed.out).toContain(h.configPath)
    expect(printed.err).toMatch(/no access token.* does not exist/)
  })

  test('answers silence with exit status 2 and reports the endpoint', async () => {
    const url = `http://127.0.0.1:${closedPort}/`
    expect(await anilistCheck.run([], settings(url))).toBe(2)
    expect(printed.err).toMatch(new RegExp(`error: .*127\\.0\\.0\\.1:${closedPort} failed`))
    expect(printed.out).toBe('')
  })

  test.each([
    ['an unknown flag', ['--token', 'abc'], /--token/],
    ['a word too many', ['now'], /unexpected word "now"/],
  ])('refuses %s', async (_case, argv, problem) => {
    const asked = anilistCheck.run(argv, settings())
    await expect(asked).rejects.toMatchObject({ name: 'SettingsError' })
    await expect(asked).rejects.toThrow(problem)
    expect(h.server.received).toEqual([])
  })

  test('refuses an address that cannot work', async () => {
    const asked = anilistCheck.run([], settings('ftp://example.org'))
    await expect(asked).rejects.toMatchObject({ name: 'SettingsError' })
    await expect(asked).rejects.toThrow(/--graphql-url: .*http/)
  })
})

describe('data pull anilist', () => {
  const pull = (...argv: string[]) => createDataPull(h.clock).run(['anilist', ...argv], settings())

  test('writes the file of the dataset into the data folder', async () => {
    h.server.answerBy(servePages(60))
    expect(await pull('--dataset', 'anime')).toBe(0)
    const path = join(h.folder, 'anilist-anime.jsonl')
    expect((await readFile(path, 'utf8')).trimEnd().split('\n')).toHaveLength(60)
    expect(printed.out).toBe(`60 anime from 2 pages are in ${path}\n`)
  })

  test('writes where it is told to, and says that there is more', async () => {
    h.server.answerBy(servePages(2000))
    const path = join(h.folder, 'deep', 'er.jsonl')
    expect(await pull('--dataset', 'manga', '--out', path, '--pages', '1')).toBe(0)
    expect(existsSync(path)).toBe(true)
    expect(printed.out).toMatch(/^50 manga from 1 page are .*\nAniList has more pages; --pages/)
  })

  test('fetches 20 pages unless told otherwise, and all when told so', async () => {
    h.server.answerBy(servePages(1201))
    expect(await pull('--dataset', 'anime')).toBe(0)
    expect(h.server.received).toHaveLength(20)
    expect(await pull('--dataset', 'anime', '--pages', 'all')).toBe(0)
    expect(h.server.received).toHaveLength(45)
    expect(printed.err).toContain('page 10 of 20: 500 anime\n')
  })

  test('writes the progress over itself on a terminal, and warnings on lines of their own', async () => {
    h.server.script(
      servePages(100)({ body: { variables: { page: 1, perPage: 50 } } } as never),
      { status: 429 },
      servePages(100)({ body: { variables: { page: 2, perPage: 50 } } } as never),
    )
    const wasTerminal = process.stderr.isTTY
    process.stderr.isTTY = true
    try {
      expect(await pull('--dataset', 'anime', '--pages', '3')).toBe(0)
    } finally {
      process.stderr.isTTY = wasTerminal
    }
    expect(printed.err.split('\n')).toEqual([
      expect.stringMatching(/^no access token/),
      '\rpage 1 of 3: 50 anime',
      expect.stringMatching(/^warning: rate limit reached.* waits 60 s$/),
      '\rpage 2 of 3: 100 anime',
      '',
    ])
  })

  test('ends with 1 when a page cannot be had, and goes on next time', async () => {
    const page = servePages(120)
    h.server.answerBy((request) => (pageOf(request) === 3 ? { status: 403 } : page(request)))
    expect(await pull('--dataset', 'anime')).toBe(1)
    expect(printed.err).toMatch(
      /error: page 3 could not be fetched: .*403[^]*The pages so far are kept/,
    )
    expect(existsSync(join(h.folder, 'anilist-anime.jsonl'))).toBe(false)
    h.server.answerBy(page)
    expect(await pull('--dataset', 'anime')).toBe(0)
    expect(printed.out).toMatch(/^120 anime from 3 pages, 2 of them from an earlier run/)
  })

  test('ends with 1 when another pull writes the file', async () => {
    const path = join(h.folder, 'out.jsonl')
    await withBuildLock(path, async () => {
      expect(await pull('--dataset', 'anime', '--out', path)).toBe(1)
    })
    expect(printed.err).toContain(`another pull is writing ${path}`)
    expect(h.server.received).toEqual([])
  })

  test.each([
    ['no dataset', [], /--dataset: expected anime or manga, received nothing/],
    ['another dataset', ['--dataset', 'films'], /received "films"/],
    ['no pages', ['--dataset', 'anime', '--pages', '0'], /--pages: expected .* received "0"/],
    ['half a page', ['--dataset', 'anime', '--pages', '1.5'], /received "1.5"/],
    ['pages in words', ['--dataset', 'anime', '--pages', 'many'], /received "many"/],
    ['another source', ['--dataset', 'anime', 'mal'], /received "anilist mal"/],
    ['an unknown flag', ['--dataset', 'anime', '--force'], /--force/],
  ])('refuses %s', async (_case, argv, problem) => {
    const asked = pull(...argv)
    await expect(asked).rejects.toMatchObject({ name: 'SettingsError' })
    await expect(asked).rejects.toThrow(problem)
    expect(h.server.received).toEqual([])
  })

  test('refuses to guess the source', async () => {
    const asked = createDataPull(h.clock).run(['--dataset', 'anime'], settings())
    await expect(asked).rejects.toThrow('expected the source anilist, received nothing')
  })

  test('names every problem at once', async () => {
    await expect(pull('--pages', 'x')).rejects.toThrow(/--dataset[^]*--pages/)
  })
})

describe('the command line', () => {
  async function synoptic(...words: string[]): Promise<{ status: number | null; text: string }> {
    const cli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url))
    const flags = ['--graphql-url', h.server.url, '--anilist-config', h.configPath]
    const child = spawn(process.execPath, [cli, ...words, ...flags], { cwd: h.folder })
    let text = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (part: string) => (text += part))
    }
    const [status] = (await once(child, 'close')) as [number | null]
    return { status, text }
  }

  test('calls the check', async () => {
    await h.configure({ ACCESS_TOKEN: 'abc' })
    h.server.script({ status: 401 })
    expect(await synoptic('anilist', 'check')).toMatchObject({
      status: 1,
      text: expect.stringContaining('is not valid') as string,
    })
    expect(h.server.received[0]?.headers.authorization).toBe('Bearer abc')
  })

  test('calls the pull', async () => {
    h.server.answerBy(servePages(7))
    const { status, text } = await synoptic('data', 'pull', 'anilist', '--dataset', 'anime')
    expect(text).toContain('7 anime from 1 page are in')
    expect(status).toBe(0)
    expect(existsSync(join(h.folder, 'data', 'anilist-anime.jsonl'))).toBe(true)
  })
})
