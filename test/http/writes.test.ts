/** PUT, PATCH and DELETE /entries, and GET /tasks, over a real journal: what is refused leaves no line in it. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createKeyRing } from '#synoptic/base/keys/key-ring.js'
import { createApiKey, hashOf } from '#synoptic/base/keys/api-key.js'
import type { Scope } from '#synoptic/base/keys/scopes.js'
import { createAccess } from '#synoptic/server/http/access/create-access.js'
import { createMemoryStore } from '#synoptic/server/http/limits/memory-store.js'
import { keepWrites, type KeptWrites } from '#synoptic/server/serve/keep-writes.js'
import { readJournal } from '#synoptic/data/writes/journal.js'
import type { Task } from '#synoptic/server/schemas/writes.js'
import type { ProblemBody } from '#synoptic/server/problems/problem.js'
import { createTestApp, type TestApp } from './harness.js'

const scratch = mkdtempSync(join(tmpdir(), 'synoptic-writes-'))
const journal = join(scratch, 'writes.journal')
let kept: KeptWrites
let test: TestApp
const keys = { write: createApiKey(), search: createApiKey() }

beforeAll(async () => {
  const settings = { dataDir: scratch, modelsDir: scratch, embeddingsDir: scratch, device: 'cpu' }
  kept = await keepWrites(settings, pino({ level: 'silent' }))
  const ring = createKeyRing(
    Object.entries(keys).map(([scope, key]) => ({
      name: scope,
      hash: hashOf(key).toString('hex'),
      scopes: [scope as Scope],
      created: '2026-01-01T00:00:00.000Z',
    })),
  )
  const store = createMemoryStore({ windowMs: 60_000 })
  const catalogue = () => test.world.catalogue
  test = createTestApp(
    { writeBodyLimit: 4_000_000 },
    {
      access: createAccess(ring, new Map([['keys', store]])),
      writes: {
        writes: kept,
        columnsOf: (name) => catalogue().dataset(name)?.columns,
        hasEntry: (name, id) => catalogue().rowOfId(name, id) !== undefined,
        checkFilter: (name, filter) => void catalogue().mask(name, filter),
      },
    },
  )
})
afterAll(async () => {
  await kept.stop()
  rmSync(scratch, { recursive: true })
})

interface Sent {
  readonly key?: string
  readonly type?: string
}

async function send(
  method: string,
  path: string,
  body?: unknown,
  { key = keys.write, type = 'application/json' }: Sent = {},
) {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const response = await test.app.request(path, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body !== undefined && { 'content-type': type }),
    },
    ...(body !== undefined && { body: text }),
  })
  return {
    status: response.status,
    body: (await response.json()) as Omit<Task, 'status'> & Pick<ProblemBody, 'detail' | 'errors'>,
    response,
  }
}

const entry = (id: number, more: object = {}) => ({ id, title: `Entry ${id}`, ...more })
const records = () => readJournal(journal).records

describe('a write', () => {
  it('is on disk when it is answered, with a task', async () => {
    const { status, body, response } = await send('PUT', '/entries/anime', [
      entry(8_000_001, { type: 'TV Series', alternativeTitles: ['Other'], tags: { cooking: 2 } }),
    ])
    expect(status).toBe(202)
    expect(body).toMatchObject({ status: 'enqueued', kind: 'put', dataset: 'anime', entries: 1 })
    expect(response.headers.get('location')).toBe(`/tasks/${body.id}`)
    expect(records().at(-1)).toMatchObject({
      seq: body.id,
      operation: {
        entries: [
          { id: 8_000_001, type: 'tv', facts: { otherTitles: ['Other'], tags: { cooking: 2 } } },
        ],
      },
    })
    expect((await send('GET', `/tasks/${body.id}`)).body).toMatchObject({ id: body.id })
  })

  it('may be JSON lines', async () => {
    const lines = `${JSON.stringify(entry(8_000_002))}\n\n${JSON.stringify(entry(8_000_003))}\n`
    const sent = await send('PUT', '/entries/anime', lines, { type: 'application/x-ndjson' })
    expect(sent).toMatchObject({ status: 202, body: { entries: 2 } })
  })

  it('changes and deletes an entry of the catalogue, or one that waits', async () => {
    const known = test.world.catalogue.entry('anime', 0).id
    for (const id of [known, 8_000_001]) {
      expect((await send('PATCH', `/entries/anime/${id}`, { year: 2001 })).status).toBe(202)
      expect((await send('DELETE', `/entries/anime/${id}`)).status).toBe(202)
    }
    const deletions = [
      { ids: [1, 2, 2] },
      { type: 'movie', yearTo: 1969 },
      { tags: { any: ['cooking'] } },
    ]
    for (const body of deletions)
      expect((await send('POST', '/entries/anime/delete', body)).status).toBe(202)
    expect(records().at(-2)?.operation).toMatchObject({
      kind: 'delete-matching',
      filter: { types: ['movie'], yearTo: 1969 },
    })
  })

  it('has a task among the others', async () => {
    const listed = await send('GET', '/tasks?limit=2&status=enqueued')
    const { tasks, total } = listed.body as unknown as { tasks: Task[]; total: number }
    expect(tasks).toHaveLength(2)
    expect(tasks[0]?.id).toBe(total)
    expect((await send('GET', '/tasks?status=done')).body).toEqual({ tasks: [], total: 0 })
  })
})

describe('a write that is refused', () => {
  const many = Array.from({ length: 10_001 }, (_, id) => entry(id))
  const bad: readonly (readonly [string, string, string, unknown, number, RegExp])[] = [
    ['broken JSON', 'PUT', '/entries/anime', '[{"id":1', 400, /^expected JSON/],
    ['an object', 'PUT', '/entries/anime', entry(1), 400, /^expected an array of entries/],
    ['nothing', 'PUT', '/entries/anime', [], 400, /^expected 1 to 10000 entries, received 0/],
    ['too many', 'PUT', '/entries/anime', many, 400, /expected 1 to 10000 entries, received 10001/],
    [
      'an id twice',
      'PUT',
      '/entries/anime',
      [entry(3), entry(4), entry(3)],
      400,
      /2\.id: expected each id once, 3 is that of entry 0 too/,
    ],
    ['no title', 'PUT', '/entries/anime', [entry(1), { id: 2 }], 400, /1\.title: required/],
    ['a title of spaces', 'PUT', '/entries/anime', [{ id: 2, title: '  ' }], 400, /0\.title/],
    ['a wrong id', 'PUT', '/entries/anime', [entry(-1)], 400, /0\.id: expected an integer/],
    ['an id as text', 'PUT', '/entries/anime', [{ id: '1', title: 'x' }], 400, /0\.id/],
    ['a wrong year', 'PUT', '/entries/anime', [entry(1, { year: '1999' })], 400, /0\.year/],
    ['a wrong score', 'PUT', '/entries/anime', [entry(1, { score: 11 })], 400, /0\.score/],
    [
      'a name for a list',
      'PUT',
      '/entries/anime',
      [entry(1, { genres: 'Action' })],
      400,
      /0\.genres: expected a list/,
    ],
    [
      'a member of another name',
      'PUT',
      '/entries/anime',
      [entry(1, { studio: 'x' })],
      400,
      /0\.studio: unknown name/,
    ],
    [
      'an unknown tag',
      'PUT',
      '/entries/anime',
      [entry(1, { tags: { kooking: 1 } })],
      400,
      /0\.tags: expected keys of the vocabulary/,
    ],
    [
      'a wrong weight',
      'PUT',
      '/entries/anime',
      [entry(1, { tags: { cooking: 4 } })],
      400,
      /0\.tags\.cooking/,
    ],
    [
      'an unknown column',
      'PUT',
      '/entries/anime',
      [entry(1, { texts: { plot: 'x' } })],
      400,
      /0\.texts\.plot: unknown column; the dataset has/,
    ],
    [
      'a number as a text',
      'PUT',
      '/entries/anime',
      [entry(1, { texts: { synopsis: 3 } })],
      400,
      /0\.texts\.synopsis/,
    ],
    [
      'an entry of another dataset',
      'PUT',
      '/entries/anime',
      [entry(1, { dataset: 'manga' })],
      400,
      /0\.dataset: expected anime/,
    ],
    ['an unknown dataset', 'PUT', '/entries/novels', [entry(1)], 404, /nothing at this path/],
    ['a parameter', 'PUT', '/entries/anime?force=1', [entry(1)], 400, /force/],
    ['no change', 'PATCH', '/entries/anime/8000002', {}, 400, /expected a member to change/],
    ['another id', 'PATCH', '/entries/anime/8000002', { id: 3 }, 400, /unknown name/],
    [
      'an unknown entry',
      'PATCH',
      '/entries/anime/77777777',
      { year: 1 },
      404,
      /no anime with this id/,
    ],
    [
      'an unknown entry',
      'DELETE',
      '/entries/anime/77777777',
      undefined,
      404,
      /no anime with this id/,
    ],
    ['no id', 'DELETE', '/entries/anime/x', undefined, 404, /no such entry/],
    [
      'no condition',
      'POST',
      '/entries/anime/delete',
      {},
      400,
      /either ids, or at least one condition/,
    ],
    [
      'ids and a condition',
      'POST',
      '/entries/anime/delete',
      { ids: [1], yearTo: 3 },
      400,
      /either ids/,
    ],
    ['no ids', 'POST', '/entries/anime/delete', { ids: [] }, 400, /at least one id/],
    [
      'years in the wrong order',
      'POST',
      '/entries/anime/delete',
      { yearFrom: 3, yearTo: 2 },
      400,
      /yearFrom/,
    ],
    ['an unknown task', 'GET', '/tasks/999999', undefined, 404, /no task/],
    ['a wrong status', 'GET', '/tasks?status=over', undefined, 400, /status/],
  ]
  it.each(bad)('%s: %s %s', async (_, method, path, body, status, detail) => {
    const before = readFileSync(journal)
    const answer = await send(method, path, body)
    expect(answer.body.detail).toMatch(detail)
    expect(answer.status).toBe(status)
    expect(readFileSync(journal).equals(before)).toBe(true)
  })

  it('names every line that is no JSON', async () => {
    const lines = `${JSON.stringify(entry(1))}\n{\nnull\n}\n`
    const { body } = await send('PUT', '/entries/anime', lines, { type: 'application/jsonl' })
    expect(body.errors).toMatchObject([
      { message: 'line 2 is not JSON' },
      { message: 'line 4 is not JSON' },
    ])
  })

  it('names at most fifty problems', async () => {
    const { body } = await send(
      'PUT',
      '/entries/anime',
      Array.from({ length: 80 }, () => 3),
    )
    expect(body.errors).toHaveLength(50)
  })

  it('has another type, or is too large', async () => {
    expect((await send('PUT', '/entries/anime', 'a,b', { type: 'text/csv' })).status).toBe(415)
    expect((await send('PUT', '/entries/anime', ' '.repeat(4_000_001))).status).toBe(413)
  })

  it('has no key, or one without the scope', async () => {
    const before = readFileSync(journal)
    expect((await send('PUT', '/entries/anime', [entry(1)], { key: keys.search })).status).toBe(403)
    expect((await send('GET', '/tasks', undefined, { key: 'syn_none' })).status).toBe(401)
    expect(readFileSync(journal).equals(before)).toBe(true)
  })

  it.each([
    ['PUT', '/entries/anime'],
    ['DELETE', '/entries/anime/1'],
    ['GET', '/tasks'],
  ])('meets a server without keys: %s %s', async (method, path) => {
    const response = await createTestApp().app.request(path, { method })
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({ type: 'urn:synoptic:problem:writes-off' })
  })
})
