import { beforeEach, describe, expect, test } from 'vitest'
import { createListReader, type ListStatusOptions } from '#synoptic/data/anilist/list-status.js'
import type { Answer } from './graphql-server.js'
import { useHarness } from './harness.js'

const h = useHarness()
const viewer = { body: { data: { Viewer: { id: 42, name: 'somebody' } } } }

type Entry = readonly [mediaId: number, status: string]

function chunk(hasNextChunk: boolean | null, ...lists: Entry[][]): Answer {
  const entries = (list: Entry[]) => list.map(([mediaId, status]) => ({ mediaId, status }))
  const collection = { hasNextChunk, lists: lists.map((list) => ({ entries: entries(list) })) }
  return { body: { data: { MediaListCollection: collection } } }
}

/** The statuses of those works that are on a list. */
function lookup(options: Partial<ListStatusOptions> = {}) {
  const read = createListReader({
    client: h.client(),
    dataset: 'anime',
    logger: h.log,
    clock: h.clock,
    ...options,
  })
  return async (ids: readonly number[]) => {
    const { entries } = await read()
    const known = ids.flatMap((id) => entries.get(id) ?? [])
    return new Map(known.map(({ mediaId, status }) => [mediaId, status]))
  }
}

beforeEach(async () => {
  await h.configure({ ACCESS_TOKEN: 'abc' })
})

describe('a list that can be read', () => {
  test('gives the status of the works that are on it, and of no others', async () => {
    h.server.script(
      viewer,
      chunk(
        false,
        [
          [1, 'CURRENT'],
          [5, 'COMPLETED'],
        ],
        [[6, 'PLANNING']],
      ),
    )
    expect(await lookup()([1, 2, 6])).toStrictEqual(
      new Map([
        [1, 'CURRENT'],
        [6, 'PLANNING'],
      ]),
    )
  })

  test('is requested by the id of the signed-in user, 500 entries at a time', async () => {
    h.server.script(
      viewer,
      chunk(true, [[1, 'PAUSED']]),
      chunk(true, [[2, 'DROPPED']]),
      chunk(false, [[3, 'REPEATING']]),
    )
    expect([...(await lookup({ dataset: 'manga' })([1, 2, 3])).values()]).toEqual([
      'PAUSED',
      'DROPPED',
      'REPEATING',
    ])
    const [first, ...chunks] = h.server.received
    expect(first?.body.variables).toBeNull()
    expect(chunks.map(({ body }) => body.variables)).toEqual(
      [0, 1, 2].map((n) => ({ userId: 42, type: 'MANGA', chunk: n, perChunk: 500 })),
    )
    expect(h.server.received.every(({ headers }) => headers.authorization === 'Bearer abc')).toBe(
      true,
    )
  })

  test.each([
    ['no lists', chunk(null)],
    ['null lists', { body: { data: { MediaListCollection: { lists: null } } } }],
  ])('ends with a chunk of %s where the service does not say', async (_case, last) => {
    h.server.script(viewer, chunk(null, [[1, 'CURRENT']]), last)
    expect((await lookup()([1])).get(1)).toBe('CURRENT')
    expect(h.server.received).toHaveLength(3)
  })

  test('may have nothing in its chunk 0', async () => {
    h.server.script(viewer, chunk(null), chunk(false, [[1, 'CURRENT']]))
    expect((await lookup()([1])).get(1)).toBe('CURRENT')
  })

  test('of a user without any is empty, and remembered', async () => {
    h.server.script(viewer, chunk(false))
    const listStatus = lookup()
    expect(await listStatus([1])).toStrictEqual(new Map())
    await listStatus([1])
    expect(h.server.received).toHaveLength(2)
    expect(h.log.messages('warn')).toEqual([])
  })

  test('that never ends is not read for ever', async () => {
    h.server.script(viewer, chunk(true, [[1, 'CURRENT']]))
    expect((await lookup()([1])).get(1)).toBe('CURRENT')
    expect(h.server.received).toHaveLength(101)
    expect(h.log.messages('warn')).toEqual([expect.stringContaining('100 chunks')])
  })

  test('may hold entries that are not understood', async () => {
    const entries = [
      null,
      { mediaId: 1, status: 'SHELVED' },
      { mediaId: 'x' },
      { mediaId: 2, status: 'CURRENT' },
      { mediaId: 3, status: null },
    ]
    const lists = [null, { entries: null }, { entries }]
    h.server.script(viewer, {
      body: { data: { MediaListCollection: { hasNextChunk: false, lists } } },
    })
    expect(await lookup()([1, 2, 3])).toStrictEqual(new Map([[2, 'CURRENT']]))
  })

  test('is used again until it is too old', async () => {
    h.server.script(
      viewer,
      chunk(false, [[1, 'CURRENT']]),
      viewer,
      chunk(false, [[1, 'COMPLETED']]),
    )
    const listStatus = lookup({ ttlMs: 1000 })
    expect((await listStatus([1])).get(1)).toBe('CURRENT')
    h.clock.advance(999)
    expect((await listStatus([1])).get(1)).toBe('CURRENT')
    expect(h.server.received).toHaveLength(2)
    h.clock.advance(1)
    expect((await listStatus([1])).get(1)).toBe('COMPLETED')
  })

  test('is read once for all concurrent callers', async () => {
    h.server.script(viewer, chunk(false, [[1, 'CURRENT']]))
    const listStatus = lookup()
    const answers = await Promise.all([listStatus([1]), listStatus([1, 2]), listStatus([2])])
    expect(answers.map((answer) => answer.size)).toEqual([1, 1, 0])
    expect(h.server.received).toHaveLength(2)
  })
})

describe('a request that fails means "not on the list"', () => {
  const shapeless = { body: { data: { Viewer: null } } }
  test.each<[string, Answer]>([
    ['401', { status: 401 }],
    ['403', { status: 403 }],
    ['404', { status: 404 }],
    ['500', { status: 500 }],
    ['GraphQL errors', { body: { data: null, errors: [{ message: 'Unauthorized.' }] } }],
    ['GraphQL errors beside data', { body: { ...viewer.body, errors: [{ message: 'partly' }] } }],
    ['another shape', shapeless],
    ['no JSON', { body: 'hello' }],
  ])('when the user is answered with %s', async (_case, answer) => {
    h.server.script(answer)
    expect(await lookup()([1, 2])).toStrictEqual(new Map())
    expect(h.log.messages('warn').at(-1)).toMatch(/assumed not on a list/)
    expect(h.server.received.every(({ body }) => !body.query.includes('MediaList'))).toBe(true)
  })

  test('when a chunk fails, for the works that it would have named', async () => {
    h.server.script(viewer, chunk(true, [[1, 'CURRENT']]), { status: 502 })
    expect(await lookup()([1, 2])).toStrictEqual(new Map([[1, 'CURRENT']]))
    expect(h.log.messages('warn')).toEqual([expect.stringMatching(/chunk 1 .*502.*assumed not on/)])
  })

  test('when nobody answers', async () => {
    h.server.script((response) => response.destroy())
    expect(await lookup()([1])).toStrictEqual(new Map())
  })

  test('and is not remembered: the next call requests it again', async () => {
    h.server.script({ status: 503 }, viewer, chunk(false, [[1, 'CURRENT']]))
    const listStatus = lookup()
    expect((await listStatus([1])).size).toBe(0)
    expect((await listStatus([1])).size).toBe(1)
  })
})

describe('cancellation', () => {
  test('ends the read with what has come so far', async () => {
    const closing = new AbortController()
    const held: (() => void)[] = []
    h.server.script(viewer, chunk(true, [[1, 'CURRENT']]), (response) => {
      held.push(() => response.end())
      closing.abort(new Error('gone'))
    })
    const found = await lookup({ signal: closing.signal })([1, 2])
    expect(found).toStrictEqual(new Map([[1, 'CURRENT']]))
    held[0]?.()
  })
})
