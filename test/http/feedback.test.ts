/** POST /feedback: the right result, as lines that `synoptic eval` reads. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { readDescriptions } from '#synoptic/search/eval/descriptions.js'
import { createFeedbackFile } from '#synoptic/server/http/feedback-file.js'
import type { ProblemBody } from '#synoptic/server/problems/problem.js'
import { compile, operationOf, readOpenApi } from './openapi-document.js'
import { createTestApp, post } from './harness.js'

const scratch = mkdtempSync(join(tmpdir(), 'synoptic-feedback-'))
afterAll(() => rmSync(scratch, { recursive: true }))
const file = join(scratch, 'meant.jsonl')
const now = () => Date.UTC(2026, 1, 3, 23, 59)
const test = createTestApp({ logQueries: true }, { feedback: createFeedbackFile(file, now) })
const choice = { query: '  a robot in the rain\nwith “quotes” ', work: 1000, rank: 3 }

describe('POST /feedback', () => {
  it('keeps query, work, rank and day, and nothing of the client', async () => {
    const headers = { 'x-forwarded-for': '2001:db8::7', 'user-agent': 'somebody' }
    const response = await post(test, '/feedback/anime', choice, headers)
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ kept: true })
    expect((await post(test, '/feedback/anime', { ...choice, work: 1007, rank: 1 })).status).toBe(
      200,
    )
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      {
        dataset: 'anime',
        description: 'a robot in the rain\nwith “quotes”',
        id: 1000,
        rank: 3,
        day: '2026-02-03',
      },
      expect.objectContaining({ id: 1007, rank: 1 }),
    ])
  })

  it('keeps what eval reads', async () => {
    const { sets, missing } = await readDescriptions(file, test.world.catalogue, undefined)
    expect(missing).toEqual([])
    expect(sets[0]?.items).toMatchObject([{ dataset: 'anime', rows: [0] }, { rows: [1] }])
  })

  it.each([
    [{ ...choice, query: ' ' }, /^query: /],
    [{ ...choice, query: 'x'.repeat(2001) }, /^query: /],
    [{ ...choice, query: undefined }, /^query: required$/],
    [{ ...choice, work: '1000' }, /^work: expected an integer/],
    [{ ...choice, work: -1 }, /^work: /],
    [{ ...choice, work: undefined }, /^work: required$/],
    [{ ...choice, rank: 0 }, /^rank: expected an integer from 1/],
    [{ ...choice, rank: 1.5 }, /^rank: /],
    [{ ...choice, name: 'Jane' }, /^name: unknown name; known are query, work, rank$/],
    [[], /^expected a JSON object, received an array$/],
  ])('refuses %j', async (body, message) => {
    const before = readFileSync(file, 'utf8')
    const response = await post(test, '/feedback/anime', body)
    expect(response.status).toBe(400)
    expect(((await response.json()) as ProblemBody).detail).toMatch(message)
    expect(readFileSync(file, 'utf8')).toBe(before)
  })

  it('does not keep a work that is not there', async () => {
    const response = await post(test, '/feedback/anime', { ...choice, work: 1 })
    expect(response.status).toBe(404)
  })

  it('does not keep more than the rate limit allows', async () => {
    const feedback = createFeedbackFile(join(scratch, 'slow.jsonl'))
    const slow = createTestApp({ rateLimit: { feedback: 0.1 }, rateBurst: 1 }, { feedback })
    expect((await post(slow, '/feedback/anime', choice)).status).toBe(200)
    expect((await post(slow, '/feedback/anime', choice)).status).toBe(429)
  })

  it('reports a file that cannot be written, without its path', async () => {
    const feedback = createFeedbackFile(join(scratch, 'nowhere', 'meant.jsonl'))
    const broken = createTestApp({}, { feedback })
    const response = await post(broken, '/feedback/anime', choice)
    expect(response.status).toBe(500)
    expect(await response.text()).not.toContain('nowhere')
    expect(JSON.stringify(broken.log)).toContain('nowhere')
  })

  it('is there only with --feedback, and is in the documentation then', async () => {
    expect((await post(createTestApp(), '/feedback/anime', choice)).status).toBe(404)
    const document = await readOpenApi(test)
    const operation = operationOf(document, '/feedback/anime', 'post')
    const { schema = {} } = operation.requestBody?.content['application/json'] ?? {}
    expect(compile(document, schema)(choice)).toBe(true)
    expect(compile(document, schema)({ ...choice, rank: 0 })).toBe(false)
  })
})
