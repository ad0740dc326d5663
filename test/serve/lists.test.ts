/** The user's AniList lists over a server that the command started, with a GraphQL server on loopback. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { startGraphqlServer } from '../anilist/graphql-server.js'
import { deathNote } from './child.js'
import { startOnSample } from './sample.js'

const graphql = await startGraphqlServer()
graphql.answerBy(({ body: { query, variables } }) => {
  if (query.includes('Viewer')) return { body: { data: { Viewer: { id: 42 } } } }
  if (variables?.type !== 'ANIME') return { status: 403, body: { errors: [{ message: 'No.' }] } }
  const entries = [{ mediaId: 1535, status: 'COMPLETED', media: { idMal: 1535 } }]
  const lists = [{ entries }]
  return { body: { data: { MediaListCollection: { hasNextChunk: false, lists } } } }
})
const folder = mkdtempSync(join(tmpdir(), 'synoptic-lists-'))
writeFileSync(join(folder, 'config.json'), JSON.stringify({ ACCESS_TOKEN: 'a-token' }))
const flags = [
  '--workers',
  '1',
  '--rate-limit',
  '0',
  '--list-wait',
  '10',
  '--graphql-url',
  graphql.url,
]
const server = await startOnSample(folder, flags)
afterAll(async () => {
  await server.stop()
  await graphql.close()
  rmSync(folder, { recursive: true })
})

interface Answer {
  readonly results: readonly { readonly title: string; readonly listStatus?: string | null }[]
  readonly meta?: { readonly notes?: readonly string[] }
  readonly warnings?: readonly string[]
  readonly pagination?: { readonly totalResults: number }
}

async function post(path: string, body: object): Promise<Answer> {
  const response = await fetch(`${server.origin}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(response.status).toBe(200)
  return (await response.json()) as Answer
}

describe.each([
  ['/searchmodel', deathNote],
  ['/search', { query: deathNote.description }],
])('%s', (path, body) => {
  test('shows what is on a list, and leaves it out on request', async () => {
    const all = await post(`${path}/anime`, body)
    expect(all.results[0]).toMatchObject({ title: 'Death Note', listStatus: 'COMPLETED' })
    expect(all.results.slice(1).map(({ listStatus }) => listStatus)).toEqual(
      all.results.slice(1).map(() => null),
    )
    const rest = await post(`${path}/anime?excludeListed=true`, body)
    expect(rest.results.map(({ title }) => title)).not.toContain('Death Note')
    if (all.pagination !== undefined) {
      expect(rest.pagination?.totalResults).toBe(all.pagination.totalResults - 1)
    }
  })

  test('takes what the endpoint refuses for not listed, and says so', async () => {
    const { results, meta, warnings } = await post(`${path}/manga?excludeListed=true`, body)
    expect(results.length).toBeGreaterThan(1)
    expect(results.every(({ listStatus }) => listStatus === null)).toBe(true)
    expect(meta?.notes ?? warnings).toEqual([expect.stringMatching(/AniList/)])
  })
})

test('the token goes to the endpoint, and nowhere else', () => {
  expect(graphql.received.map(({ headers }) => headers.authorization)).toContain('Bearer a-token')
  expect(server.output.stdout + server.output.stderr).not.toContain('a-token')
})
