/** A pull of works by their ids. */
import { join } from 'node:path'
import { pullMedia } from '#synoptic/data/anilist/pull.js'
import { expect, test } from 'vitest'
import type { Received } from './graphql-server.js'
import { useHarness } from './harness.js'
import { medium, pageAnswer } from './media-pages.js'

const h = useHarness()
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

test('requests ids a page at a time, also where AniList knows none of a page', async () => {
  const known = (request: Received) => {
    const { ids } = request.body.variables as { ids: number[] }
    return pageAnswer(
      ids.filter((id) => id > 50).map((id) => medium(id)),
      false,
    )
  }
  h.server.answerBy(known)
  const summary = await pullMedia({
    client: h.client(),
    dataset: 'anime',
    path: join(h.folder, 'out.jsonl'),
    pages: 3,
    ids: upTo(120),
    logger: h.log,
    clock: h.clock,
  })
  expect(summary).toEqual({ page: 3, entries: 70, resumedPages: 0, hasMore: false })
  expect(h.server.received.map(({ body }) => body.variables?.ids)).toEqual([
    upTo(50),
    upTo(100).slice(50),
    upTo(120).slice(100),
  ])
  expect(h.server.received[0]?.body.query).toContain('id_in: $ids')
})
