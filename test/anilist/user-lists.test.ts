/** What the user has on a list at AniList: returned with results, left out on request, never waited for long. */
import { setImmediate } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { Clock } from '#synoptic/base/util/clock.js'
import { pauseAfterFailureMs, tokenFreshMs } from '#synoptic/data/anilist/user-lists.js'
import { openUserLists } from '#synoptic/search/composition/open-lists.js'
import type { DescriptionQuery } from '#synoptic/search/service/service.js'
import { startOfTime } from './fakes.js'
import { useHarness } from './harness.js'
import { ArrayCatalogue, inventWorks } from '../search/array-catalogue.js'
import { createWorld, model } from '../search/world.js'

const h = useHarness()
const columns = ['synopsis']
const works = inventWorks(20, 1, 3).map((work, row) => ({
  ...work,
  metadata: row < 10 ? { anilistId: 500 + row } : { malId: 900 + row, anilistId: null },
}))
const catalogue = new ArrayCatalogue({
  anime: { columns, works },
  manga: { columns, works: works.slice(0, 3) },
})
const entries = [
  { mediaId: 503, status: 'COMPLETED', media: { idMal: 1 } },
  { mediaId: 77, status: 'PLANNING', media: { idMal: 912 } },
  { mediaId: 78, status: 'DROPPED', media: { idMal: null } },
  { mediaId: 504, status: 'CURRENT' },
]
const answers = [
  { body: { data: { Viewer: { id: 42 } } } },
  { body: { data: { MediaListCollection: { hasNextChunk: false, lists: [{ entries }] } } } },
]
const waitMs = 1000
const unread = /^The lists at AniList could not be read/

/** Time that passes only when a test says so. */
function createHeldClock() {
  let now = startOfTime
  let sleepers: { readonly until: number; readonly wake: () => void }[] = []
  const clock: Clock = {
    now: () => now,
    sleep: (milliseconds, signal) =>
      new Promise((resolve, reject) => {
        if (milliseconds <= 0) resolve()
        sleepers.push({ until: now + milliseconds, wake: resolve })
        signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
      }),
  }
  return {
    ...clock,
    advance(milliseconds: number) {
      now += milliseconds
      for (const { wake } of sleepers.filter(({ until }) => until <= now)) wake()
      sleepers = sleepers.filter(({ until }) => until > now)
    },
  }
}

function open(clock = createHeldClock()) {
  const { server, configPath: anilistConfig, log: logger } = h
  const lists = openUserLists(
    { graphqlUrl: server.url, anilistConfig, listWait: waitMs / 1000, listsFile: [] },
    { catalogue, logger, clock },
  )
  if (lists === undefined) throw new Error('expected lists')
  return { lists, clock }
}
const withToken = () => h.configure({ ACCESS_TOKEN: 'abc' })

describe('the lists of a user', () => {
  test('are matched by the ids of AniList and of MyAnimeList, and read once', async () => {
    await withToken()
    h.server.script(...answers)
    const { lists } = open()
    const [one, other] = await Promise.all([lists.lookUp('anime'), lists.lookUp('anime')])
    expect(one).toEqual({
      statuses: new Map([
        [3, 'COMPLETED'],
        [12, 'PLANNING'],
        [4, 'CURRENT'],
      ]),
      note: null,
    })
    expect(other).toEqual(one)
    expect(await lists.lookUp('anime')).toBe(one)
    expect(h.server.received).toHaveLength(2)
    expect(h.server.received[1]?.body.query).toMatch(/media \{ idMal \}/)
  })

  test.each([undefined, {}, { ACCESS_TOKEN: null }, '{'])(
    'are not requested without a token: %j',
    async (config) => {
      if (config !== undefined) await h.configure(config)
      expect(await open().lists.lookUp('anime')).toBeUndefined()
      expect(h.server.received).toEqual([])
    },
  )

  test('of a token that comes or goes are known soon, without a restart', async () => {
    const { lists, clock } = open()
    expect(await lists.lookUp('anime')).toBeUndefined()
    await withToken()
    h.server.script(...answers)
    clock.advance(tokenFreshMs - 1)
    expect(await lists.lookUp('anime')).toBeUndefined()
    clock.advance(1)
    expect((await lists.lookUp('anime'))?.note).toBeNull()
    await h.configure({})
    clock.advance(tokenFreshMs)
    expect(await lists.lookUp('anime')).toBeUndefined()
  })

  test('that do not come in time are waited for no longer, also by later requests', async () => {
    await withToken()
    h.server.script(() => undefined)
    const { lists, clock } = open()
    const first = lists.lookUp('anime')
    await h.server.receivedAtLeast(1)
    clock.advance(waitMs - 1)
    const second = lists.lookUp('anime')
    await setImmediate()
    clock.advance(1)
    for (const listed of [await first, await second]) {
      expect(listed).toMatchObject({
        statuses: new Map(),
        note: expect.stringMatching(unread) as string,
      })
    }
    expect(h.server.received).toHaveLength(1)
    lists.close()
  })

  test.each([401, 404, 503])(
    'that are refused with %d count as none, with a note',
    async (status) => {
      await withToken()
      h.server.script({ status })
      const { lists, clock } = open()
      expect((await lists.lookUp('anime'))?.note).toMatch(unread)
      expect((await lists.lookUp('anime'))?.note).toMatch(unread)
      expect(h.server.received).toHaveLength(1)
      // Somebody tries again after a while.
      clock.advance(pauseAfterFailureMs)
      h.server.script(...answers)
      expect((await lists.lookUp('anime'))?.note).toBeNull()
    },
  )

  test('that end in the middle are used as far as they go', async () => {
    await withToken()
    const [viewer = {}, chunk] = answers
    const half = {
      body: { data: { MediaListCollection: { hasNextChunk: true, lists: [{ entries }] } } },
    }
    h.server.script(viewer, half, { status: 400 })
    expect(chunk).toBeDefined()
    const listed = await open().lists.lookUp('anime')
    expect(listed?.statuses.get(3)).toBe('COMPLETED')
    expect(listed?.note).toMatch(unread)
  })
})

describe('a search', () => {
  const query: DescriptionQuery = {
    dataset: 'anime',
    model,
    description: 'a robot goes to school in the rain',
    page: 1,
    resultsPerPage: 100,
  }
  const statuses = new Map([[3, 'COMPLETED'] as const, [7, 'PLANNING'] as const])
  const listing = (note: string | null) => ({ lookUp: () => Promise.resolve({ statuses, note }) })
  const rowOf = ({ row }: { row: number }) => row

  test('gives the status of every result', async () => {
    const { results, meta } = await createWorld(undefined, listing(null)).search.similar(query)
    for (const result of results) {
      expect(result.listStatus).toBe(statuses.get(rowOf(result) as 3) ?? null)
    }
    expect(meta.notes).toBeUndefined()
  })

  test('leaves out what is listed, and counts without it', async () => {
    const { search } = createWorld(undefined, listing(null))
    const all = await search.similar(query)
    const { results, pagination } = await search.similar({ ...query, excludeListed: true })
    const rest = all.results.map(rowOf).filter((row) => row !== 3 && row !== 7)
    expect(results.map(rowOf)).toEqual(rest)
    expect(pagination.totalResults).toBe(rest.length)
    const filter = { types: ['tv'] }
    const narrow = await search.similar({ ...query, filter, excludeListed: true, mode: 'hybrid' })
    for (const row of narrow.results.map(rowOf)) expect([3, 7]).not.toContain(row)
  })

  test('says what it does not know of the lists', async () => {
    const { meta } = await createWorld(undefined, listing('No.')).search.similar(query)
    expect(meta.notes).toEqual(['No.'])
  })

  test('without a token says nothing of lists, and that nothing is left out', async () => {
    const { search } = createWorld()
    const { results, meta } = await search.similar({ ...query, excludeListed: true })
    expect(results).toHaveLength(52)
    expect(results[0]?.listStatus).toBeUndefined()
    expect(meta.notes).toEqual(['No AniList access token is set, so no entry is excluded.'])
  })
})
