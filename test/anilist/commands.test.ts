import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { AnilistSettings } from '#synoptic/data/anilist/command-line.js'
import { anilistCheck } from '#synoptic/cli/anilist.js'
import { closedPort } from '../helpers/sockets.js'
import { useHarness } from './harness.js'
import { servePages } from './media-pages.js'

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
  home: h.folder,
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
    const pending = anilistCheck.run(argv, settings())
    await expect(pending).rejects.toMatchObject({ name: 'SettingsError' })
    await expect(pending).rejects.toThrow(problem)
    expect(h.server.received).toEqual([])
  })

  test('refuses an address that cannot work', async () => {
    const pending = anilistCheck.run([], settings('ftp://example.org'))
    await expect(pending).rejects.toMatchObject({ name: 'SettingsError' })
    await expect(pending).rejects.toThrow(/--graphql-url: .*http/)
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
    const { status, text } = await synoptic(
      ...'data pull anilist --dataset anime --best-known 50'.split(' '),
    )
    expect(text).toContain('7 anime from 1 page are in')
    expect(status).toBe(0)
    expect(existsSync(join(h.folder, 'data', 'anilist-anime.jsonl'))).toBe(true)
  })
})
