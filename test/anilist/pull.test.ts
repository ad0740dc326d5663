import { existsSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { pullMedia, type PullOptions, type PullProgress } from '#synoptic/data/anilist/pull.js'
import type { Answer } from './graphql-server.js'
import { useHarness } from './harness.js'
import { medium, pageAnswer, pageOf, servePages } from './media-pages.js'

const h = useHarness()
let path: string
const partial = () => `${path}.partial`
const progress = () => `${path}.progress.json`
const requestedPages = () => h.server.received.map(pageOf)
const files = async () => (await readdir(join(h.folder, 'data'))).sort()

beforeEach(() => {
  path = join(h.folder, 'data', 'out.jsonl')
})

function pull(options: Partial<PullOptions> = {}) {
  return pullMedia({
    client: h.client(),
    dataset: 'anime',
    path,
    pages: Number.POSITIVE_INFINITY,
    logger: h.log,
    clock: h.clock,
    ...options,
  })
}

async function ids(file = path): Promise<number[]> {
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n')
  return lines.map((line) => (JSON.parse(line) as { id: number }).id)
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

describe('a pull', () => {
  test('fetches page after page until there are no more', async () => {
    h.server.answerBy(servePages(120))
    const seen: PullProgress[] = []
    const summary = await pull({ onPage: (page) => seen.push(page) })
    expect(summary).toEqual({ page: 3, entries: 120, resumedPages: 0, hasMore: false })
    expect(h.server.received.map(({ body }) => body.variables)).toEqual(
      [1, 2, 3].map((page) => ({ page, perPage: 50 })),
    )
    expect(seen.map(({ entries }) => entries)).toEqual([50, 100, 120])
    expect(await ids()).toEqual(upTo(120))
  })

  test('leaves its file and nothing else', async () => {
    h.server.answerBy(servePages(60))
    await pull()
    expect(await files()).toEqual(['out.jsonl'])
  })

  test('pauses between pages, not after the last', async () => {
    h.server.answerBy(servePages(120))
    await pull()
    expect(h.clock.sleeps).toEqual([2000, 2000])
  })

  test('waits for the quota as every request does', async () => {
    h.server.answerBy((request) => ({
      ...servePages(60)(request),
      headers: { 'x-ratelimit-remaining': '0' },
    }))
    await pull()
    expect(h.clock.sleeps).toEqual([2000, 58_000])
  })

  test('stops at the last requested page', async () => {
    h.server.answerBy(servePages(500))
    expect(await pull({ pages: 2 })).toEqual({
      page: 2,
      entries: 100,
      resumedPages: 0,
      hasMore: true,
    })
    expect(await ids()).toEqual(upTo(100))
  })

  test('replaces an older file only at the end', async () => {
    h.server.answerBy(servePages(60))
    await pull({ pages: 1 })
    h.server.script(servePages(60)({ body: { variables: { page: 1, perPage: 50 } } } as never), {
      status: 403,
    })
    await expect(pull()).rejects.toThrow()
    expect(await ids()).toEqual(upTo(50))
  })

  test('requests anime or manga, with what belongs to them', async () => {
    h.server.answerBy(servePages(1))
    await pull()
    await pull({ dataset: 'manga' })
    const [anime, manga] = h.server.received.map(({ body }) => body.query)
    expect(anime).toMatch(/type: ANIME, sort: POPULARITY_DESC/)
    expect(anime).toMatch(/\bepisodes\b[^]*\bduration\b[^]*\bstudios\b/)
    expect(anime).not.toMatch(/\bvolumes\b|\bstaff\b/)
    expect(manga).toMatch(/type: MANGA, sort: POPULARITY_DESC/)
    expect(manga).toMatch(/\bvolumes\b[^]*\bstaff\b/)
    expect(manga).not.toMatch(/\bepisodes\b|\bstudios\b/)
  })

  test('keeps a work once when pages overlap', async () => {
    h.server.script(
      pageAnswer([medium(1), medium(2), medium(2)], true),
      pageAnswer([medium(2), medium(3)], false),
    )
    expect((await pull()).entries).toBe(3)
    expect(await ids()).toEqual([1, 2, 3])
  })

  test('leaves out what has no usable id, and says so', async () => {
    const media = [null, medium(1), { title: {} }, medium(0), medium(1.5), 'x']
    h.server.script(pageAnswer(media, false))
    expect((await pull()).entries).toBe(1)
    expect(h.log.messages('warn')).toEqual(['5 entries without an id are left out'])
  })

  test.each<[string, unknown[]]>([
    ['empty', []],
    ['without a usable work', [null]],
  ])('ends with a page that is %s, even when it promises another', async (_case, media) => {
    h.server.script(pageAnswer([medium(1)], true), pageAnswer(media, true))
    expect(await pull()).toMatchObject({ page: 2, entries: 1, hasMore: false })
  })
})

describe('a page that cannot be had', () => {
  test.each<[string, Answer, object]>([
    ['403', { status: 403 }, { code: 'ESTATUS', status: 403 }],
    ['404', { status: 404 }, { code: 'ESTATUS', status: 404 }],
    ['500', { status: 500 }, { code: 'ESERVER', status: 500 }],
    ['no JSON', { body: '<p>' }, { code: 'EBODY' }],
    ['another shape', { body: { data: { Page: null } } }, { code: 'EBODY' }],
    ['GraphQL errors', { body: { errors: [{ message: 'Bad field' }] } }, { code: 'EGRAPHQL' }],
  ])('because of %s ends the pull and keeps what is there', async (_case, answer, error) => {
    const page = servePages(120)
    h.server.answerBy((request) => (pageOf(request) === 2 ? answer : page(request)))
    await expect(pull()).rejects.toMatchObject({
      name: 'UpstreamError',
      message: expect.stringMatching(/^page 2 could not be fetched: /) as string,
      ...error,
    })
    expect(existsSync(path)).toBe(false)
    expect(await ids(partial())).toEqual(upTo(50))
    h.server.answerBy(page)
    expect(await pull()).toMatchObject({ entries: 120, resumedPages: 1 })
  })

  test('because it was called off keeps what is there as well', async () => {
    const leaving = new AbortController()
    h.server.answerBy(servePages(120))
    const stopped = pull({ signal: leaving.signal, onPage: () => leaving.abort(new Error('stop')) })
    await expect(stopped).rejects.toThrow('stop')
    expect(await ids(partial())).toEqual(upTo(50))
  })

  test('says what the service said', async () => {
    h.server.script({ body: { errors: [{ message: 'Bad field' }, { message: 'Bad day' }] } })
    await expect(pull()).rejects.toThrow('page 1 could not be fetched: Bad field; Bad day')
  })
})

describe('going on', () => {
  beforeEach(async () => {
    const page = servePages(120)
    h.server.answerBy((request) => (pageOf(request) === 3 ? { status: 403 } : page(request)))
    await expect(pull()).rejects.toThrow('page 3')
    h.server.answerBy(page)
    h.server.received.length = 0
  })

  test('fetches only what is missing', async () => {
    expect(await pull()).toEqual({ page: 3, entries: 120, resumedPages: 2, hasMore: false })
    expect(requestedPages()).toEqual([3])
    expect(await ids()).toEqual(upTo(120))
    expect(await files()).toEqual(['out.jsonl'])
  })

  test('writes a half-written page again', async () => {
    const half = `{"id":101,"description":"${'x'.repeat(1_000_000)}`
    await writeFile(partial(), `${await readFile(partial(), 'utf8')}${half}`)
    await pull()
    expect(await ids()).toEqual(upTo(120))
  })

  test('is not misled by texts with other line ends', async () => {
    const odd = { description: 'a\u2028b\u2029c\r\nd\u0085e' }
    const other = join(h.folder, 'odd.jsonl')
    h.server.script(pageAnswer([medium(1, odd)], true), { status: 403 })
    await expect(pull({ path: other })).rejects.toThrow('page 2')
    h.server.script(pageAnswer([medium(2)], false))
    expect(await pull({ path: other })).toMatchObject({ entries: 2, resumedPages: 1 })
    const [line = ''] = (await readFile(other, 'utf8')).split(/[\n\u2028\u2029]/)
    expect(JSON.parse(line)).toMatchObject(odd)
  })

  test('knows the works of earlier runs', async () => {
    h.server.script(pageAnswer([medium(100), medium(101)], false))
    expect((await pull()).entries).toBe(101)
  })

  test('with no more pages to fetch than there are finishes at once', async () => {
    expect(await pull({ pages: 2 })).toMatchObject({ entries: 100, hasMore: true })
    expect(requestedPages()).toEqual([])
    expect(await ids()).toEqual(upTo(100))
  })

  const damage: Record<string, () => Promise<unknown>> = {
    'the progress is no JSON': () => writeFile(progress(), '{"nextPage":'),
    'the progress is of another shape': () => writeFile(progress(), '{"nextPage":3}'),
    'the lines are too few': () => writeFile(partial(), '{"id":1}\n'),
    'a line is damaged': async () => {
      const text = await readFile(partial(), 'utf8')
      await writeFile(partial(), `#${text.slice(1)}`)
    },
    'the lines are of other works': async () => {
      const text = await readFile(partial(), 'utf8')
      await writeFile(partial(), text.replace('{"id":10,', '{"id":11,'))
    },
  }
  test.each(Object.entries(damage))('starts afresh, aloud, when %s', async (_case, harm) => {
    await harm()
    expect(await pull()).toMatchObject({ entries: 120, resumedPages: 0 })
    expect(requestedPages()).toEqual([1, 2, 3])
    expect(await ids()).toEqual(upTo(120))
    expect(h.log.messages('warn').at(-1)).toMatch(/starting afresh$/)
  })

  test('starts afresh when the other dataset is requested', async () => {
    expect(await pull({ dataset: 'manga' })).toMatchObject({ resumedPages: 0 })
    expect(h.log.messages('warn').at(-1)).toMatch(/another kind of pull; starting afresh$/)
  })
})
