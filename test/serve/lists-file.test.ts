/** A person's lists in a file, over a server that the command started. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { deathNote } from './child.js'
import { startOnSample } from './sample.js'

const folder = mkdtempSync(join(tmpdir(), 'synoptic-lists-file-'))
const anime = '<series_animedb_id>1535</series_animedb_id><my_status>Completed</my_status>'
writeFileSync(
  join(folder, 'animelist.xml.gz'),
  gzipSync(`<?xml version="1.0"?><myanimelist><anime>${anime}</anime></myanimelist>`),
)
const flags = ['--workers', '1', '--rate-limit', '0', '--lists-file', 'animelist.xml.gz']
const server = await startOnSample(folder, flags)
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true })
})

async function titles(query: string) {
  const response = await fetch(`${server.origin}/searchmodel/anime${query}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(deathNote),
  })
  expect(response.status).toBe(200)
  const { results } = (await response.json()) as {
    results: readonly { readonly title: string; readonly listStatus?: string | null }[]
  }
  return results
}

test('shows what is on it, and leaves it out on request', async () => {
  expect((await titles(''))[0]).toMatchObject({ title: 'Death Note', listStatus: 'COMPLETED' })
  const rest = await titles('?excludeListed=true')
  expect(rest.length).toBeGreaterThan(0)
  expect(rest.map(({ title }) => title)).not.toContain('Death Note')
})
