import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { pullMedia } from '#synoptic/data/anilist/pull.js'
import { useHarness } from './harness.js'
import { pageOf, servePages } from './media-pages.js'

const h = useHarness()

/** A process of its own, without the pauses between pages. */
const program = `
import { createAnilistClient } from '#synoptic/data/anilist/client.js'
import { pullMedia } from '#synoptic/data/anilist/pull.js'
const [url, path] = process.argv.slice(1)
const logger = { debug() {}, info() {}, warn() {}, error() {} }
const client = createAnilistClient({ url, logger })
const clock = { now: Date.now, sleep: () => Promise.resolve() }
await pullMedia({ client, dataset: 'anime', path, pages: Infinity, logger, clock })
`

test.each([1, 3, 4])('a pull killed while it waits for page %i goes on there', async (killedAt) => {
  const page = servePages(220)
  const path = join(h.folder, 'out.jsonl')
  h.server.answerBy((request) => (pageOf(request) === killedAt ? () => undefined : page(request)))
  const child = spawn(
    process.execPath,
    ['--input-type=module', '-e', program, h.server.url, path],
    {
      stdio: 'inherit',
    },
  )
  const gone = once(child, 'exit')
  await h.server.receivedAtLeast(killedAt)
  child.kill('SIGKILL')
  await gone
  expect(existsSync(path)).toBe(false)

  h.server.answerBy(page)
  const pages = Number.POSITIVE_INFINITY
  const options = {
    client: h.client(),
    dataset: 'anime',
    pages,
    logger: h.log,
    clock: h.clock,
  } as const
  expect(await pullMedia({ ...options, path })).toMatchObject({
    entries: 220,
    resumedPages: killedAt - 1,
  })
  expect(h.server.received.map(pageOf).slice(killedAt)).toEqual([1, 2, 3, 4, 5].slice(killedAt - 1))

  const atOnce = join(h.folder, 'at-once.jsonl')
  await pullMedia({ ...options, path: atOnce })
  expect(await readFile(path, 'utf8')).toBe(await readFile(atOnce, 'utf8'))
})
