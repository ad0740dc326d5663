/** `data pull anilist`: what AniList's terms allow, and no more. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { AnilistSettings } from '#synoptic/data/anilist/command-line.js'
import { withBuildLock } from '#synoptic/base/util/build-lock.js'
import { createDataPull } from '#synoptic/cli/data-pull.js'
import { useHarness } from './harness.js'
import { medium, pageAnswer, pageOf, servePages } from './media-pages.js'

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

const settings = (): AnilistSettings => ({
  home: h.folder,
  dataDir: h.folder,
  embeddingsDir: '',
  modelsDir: '',
  graphqlUrl: h.server.url,
  anilistConfig: h.configPath,
})

describe('data pull anilist', () => {
  const anime = ['--dataset', 'anime'] as const
  const pull = (...argv: string[]) => createDataPull(h.clock).run(['anilist', ...argv], settings())

  test('writes the file of the dataset into the data folder', async () => {
    h.server.answerBy(servePages(60))
    expect(await pull(...anime, '--best-known', '500')).toBe(0)
    const path = join(h.folder, 'anilist-anime.jsonl')
    expect((await readFile(path, 'utf8')).trimEnd().split('\n')).toHaveLength(60)
    expect(printed.out).toBe(`60 anime from 2 pages are in ${path}\n`)
  })

  test('writes to the given file', async () => {
    h.server.answerBy(servePages(2000))
    const path = join(h.folder, 'deep', 'er.jsonl')
    expect(await pull('--dataset', 'manga', '--out', path, '--best-known', '20')).toBe(0)
    expect(existsSync(path)).toBe(true)
    expect(printed.out).toBe(`20 manga from 1 page are in ${path}\n`)
  })

  test('fetches as many of the best-known works as requested, and says what is allowed', async () => {
    h.server.answerBy(servePages(1201))
    expect(await pull('--dataset', 'anime', '--best-known', '500')).toBe(0)
    expect(h.server.received).toHaveLength(10)
    expect(printed.err).toContain('page 10: 500 anime\n')
    expect(printed.err).toContain('AniList allows personal, non-commercial use')
  })

  test('fetches single works by their ids', async () => {
    h.server.answerBy(({ body }) => {
      const { ids } = body.variables as { ids: number[] }
      return pageAnswer(
        ids.map((id) => medium(id)),
        false,
      )
    })
    expect(await pull('--dataset', 'anime', '--ids', '21, 5,21')).toBe(0)
    expect(h.server.received.map(({ body }) => body.variables)).toEqual([
      { page: 1, perPage: 50, ids: [21, 5] },
    ])
    expect(printed.out).toContain('2 anime from 1 page')
  })

  test('fetches the works on the lists of a user', async () => {
    const entries = (ids: readonly unknown[]) => ({
      entries: ids.map((mediaId) => ({ mediaId, status: 'CURRENT' })),
    })
    h.server.answerBy(({ body }) => {
      const { userName, chunk, ids } = body.variables as Record<string, unknown>
      if (Array.isArray(ids))
        return pageAnswer(
          ids.map((id: number) => medium(id)),
          false,
        )
      expect(userName).toBe('Somebody')
      const lists = chunk === 0 ? [entries([30, 10]), null, entries([10])] : [entries([20, 'x'])]
      const hasNextChunk = chunk === 0
      return { body: { data: { MediaListCollection: { hasNextChunk, lists } } } }
    })
    expect(await pull('--dataset', 'manga', '--user', 'Somebody')).toBe(0)
    expect(h.server.received.at(-1)?.body.variables?.ids).toEqual([10, 20, 30])
    expect(printed.out).toContain('3 manga from 1 page')
  })

  test('ends with 1 where there is no such user', async () => {
    h.server.answerBy(() => ({ status: 404 }))
    expect(await pull('--dataset', 'manga', '--user', 'Nobody')).toBe(1)
    expect(printed.err).toMatch(/error: AniList has no public lists of a user named Nobody/)
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
      expect(await pull(...anime, '--best-known', '150')).toBe(0)
    } finally {
      process.stderr.isTTY = wasTerminal
    }
    expect(printed.err.split('\n')).toEqual([
      expect.stringMatching(/^AniList allows personal/),
      expect.stringMatching(/^no access token/),
      '\rpage 1: 50 anime',
      expect.stringMatching(/^warning: rate limit reached.* waits 60 s$/),
      '\rpage 2: 100 anime',
      '',
    ])
  })

  test('ends with 1 when a page cannot be had, and goes on next time', async () => {
    const page = servePages(120)
    h.server.answerBy((request) => (pageOf(request) === 3 ? { status: 403 } : page(request)))
    expect(await pull(...anime, '--best-known', '500')).toBe(1)
    expect(printed.err).toMatch(
      /error: page 3 could not be fetched: .*403[^]*The pages so far are kept/,
    )
    expect(existsSync(join(h.folder, 'anilist-anime.jsonl'))).toBe(false)
    h.server.answerBy(page)
    expect(await pull(...anime, '--best-known', '500')).toBe(0)
    expect(printed.out).toMatch(/^120 anime from 3 pages, 2 of them from an earlier run/)
  })

  test('ends with 1 when another pull writes the file', async () => {
    const path = join(h.folder, 'out.jsonl')
    await withBuildLock(path, async () => {
      expect(await pull(...anime, '--best-known', '5', '--out', path)).toBe(1)
    })
    expect(printed.err).toContain(`another pull is writing ${path}`)
    expect(h.server.received).toEqual([])
  })

  test.each([
    ['no dataset', ['--best-known', '5'], /--dataset: expected anime or manga, received nothing/],
    ['another dataset', ['--dataset', 'films'], /received "films"/],
    ['no selection', ['--dataset', 'anime'], /expected one of --user, --ids and --best-known/],
    ['two selections', [...anime, '--user', 'Somebody', '--best-known', '5'], /expected one of/],
    [
      'more than is allowed',
      [...anime, '--best-known', '501'],
      /expected 1 to 500, received "501"/,
    ],
    ['none', [...anime, '--best-known', '0'], /received "0"/],
    ['half a work', [...anime, '--best-known', '1.5'], /received "1.5"/],
    ['all works', [...anime, '--best-known', 'all'], /received "all"/],
    ['what is no id', [...anime, '--ids', '5,x'], /--ids: expected at most 500 ids/],
    ['too many ids', [...anime, '--ids', Array(501).fill('1').join()], /expected at most 500 ids/],
    ['what is no name', [...anime, '--user', 'a b'], /--user: expected the name of a user/],
    ['another source', [...anime, 'mal'], /received "anilist mal"/],
    ['an unknown flag', [...anime, '--pages', '5'], /--pages/],
  ])('refuses %s', async (_case, argv, problem) => {
    const pending = pull(...argv)
    await expect(pending).rejects.toMatchObject({ name: 'SettingsError' })
    await expect(pending).rejects.toThrow(problem)
    expect(h.server.received).toEqual([])
  })

  test('refuses to guess the source', async () => {
    const pending = createDataPull(h.clock).run(['--dataset', 'anime'], settings())
    await expect(pending).rejects.toThrow('expected the source anilist, received nothing')
  })

  test('names every problem at once', async () => {
    await expect(pull('--best-known', 'x')).rejects.toThrow(/--dataset[^]*--best-known/)
  })
})
