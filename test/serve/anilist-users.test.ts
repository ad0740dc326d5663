/** The lists of an AniList user by name, over a server that the command started, with a GraphQL server on loopback. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startGraphqlServer, type Answer, type GraphqlServer } from '../anilist/graphql-server.js'
import { createTestApp, post as postTo } from '../http/harness.js'
import { startOnSample } from './sample.js'
import type { ServerChild } from './child.js'

const entry = (mediaId: number, status: string, score: number) => ({
  mediaId,
  status,
  score,
  media: { idMal: mediaId, type: 'ANIME' },
})
const entries = [entry(1535, 'COMPLETED', 9), entry(999_999, 'DROPPED', 0)]
const listOf = (own: readonly object[]): Answer => ({
  body: { data: { MediaListCollection: { hasNextChunk: false, lists: [{ entries: own }] } } },
})
const answers: Readonly<Record<string, Answer>> = {
  Somebody: listOf(entries),
  Nobody: { status: 404, body: { errors: [{ message: 'User not found', status: 404 }] } },
  Hermit: { status: 404, body: { errors: [{ message: 'Private User', status: 404 }] } },
  Broken: { status: 400, body: { errors: [{ message: 'validation' }] } },
  Popular: { status: 429, headers: { 'retry-after': '90' } },
}

let graphql: GraphqlServer
let folder: string
let server: ServerChild
beforeAll(async () => {
  graphql = await startGraphqlServer()
  graphql.answerBy(({ body: { variables } }) => {
    if (variables?.type !== 'ANIME') return listOf([])
    return answers[String(variables.userName)] ?? {}
  })
  folder = mkdtempSync(join(tmpdir(), 'synoptic-anilist-users-'))
  const flags = ['--workers', '1', '--rate-limit', '0', '--search-encoder', 'builtin/static-en']
  server = await startOnSample(folder, [
    ...flags,
    '--anilist-users',
    'on',
    '--graphql-url',
    graphql.url,
  ])
})
afterAll(async () => {
  await server.stop()
  await graphql.close()
  rmSync(folder, { recursive: true })
})

async function post(origin: string, dataset: string, body: object) {
  const response = await fetch(`${origin}/lists/${dataset}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const { status, headers } = response
  const answer = (await response.json()) as Record<string, unknown>
  return { status, retryAfter: headers.get('retry-after'), answer }
}

test('gives the works of the catalogue, with their status and rating', async () => {
  const { status, answer } = await post(server.origin, 'anime', { anilistUser: 'Somebody' })
  expect(status).toBe(200)
  expect(answer).toEqual({
    works: [{ id: expect.any(Number) as unknown, status: 'COMPLETED', score: 9 }],
    total: 2,
  })
  const [{ id }] = answer.works as [{ readonly id: number }]
  const found = await fetch(`${server.origin}/entries/anime/${id}`)
  expect(await found.json()).toMatchObject({ title: 'Death Note' })
  const manga = await post(server.origin, 'manga', { anilistUser: 'Somebody' })
  expect(manga.answer).toEqual({ works: [], total: 0 })
  // No token is there, and none is sent.
  expect(graphql.received.every(({ headers }) => headers.authorization === undefined)).toBe(true)
})

test.each([
  ['Nobody', 404, 'not-found', /no public lists of a user named Nobody/],
  ['Hermit', 404, 'not-found', /private/],
  ['Broken', 502, 'upstream-failed', /could not give the lists of Broken/],
])('of %s says with status %i what to do', async (anilistUser, status, kind, detail) => {
  const found = await post(server.origin, 'anime', { anilistUser })
  expect(found.status).toBe(status)
  expect(found.answer.type).toBe(`urn:synoptic:problem:${kind}`)
  expect(found.answer.detail).toMatch(detail)
})

test.each([
  [{}],
  [{ anilistUser: '' }],
  [{ anilistUser: 'a b' }],
  [{ anilistUser: 'x'.repeat(41) }],
])('refuses %j, and requests nothing', async (body) => {
  const before = graphql.received.length
  expect((await post(server.origin, 'anime', body)).status).toBe(400)
  expect(graphql.received).toHaveLength(before)
})

test('at the rate limit it says when to try again, and searches go on', async () => {
  const { status, retryAfter, answer } = await post(server.origin, 'anime', {
    anilistUser: 'Popular',
  })
  expect(status).toBe(502)
  expect(Number(retryAfter)).toBeGreaterThan(80)
  expect(answer.detail).toMatch(/Try again in \d+ seconds/)
  expect((await fetch(`${server.origin}/titles/anime?prefix=death`)).status).toBe(200)
})

test('is not there unless the operator allows it', async () => {
  const bare = createTestApp()
  const found = await postTo(bare, '/lists/anime', { anilistUser: 'Somebody' })
  expect(found.status).toBe(404)
  expect(await (await bare.app.request('/openapi.json')).text()).not.toContain('/lists/')
  expect(await (await fetch(`${server.origin}/openapi.json`)).text()).toContain('/lists/anime')
})
