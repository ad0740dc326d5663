import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { pullMedia } from '#synoptic/data/anilist/pull.js'
import { readMapping } from '#synoptic/data/datasets/mapping.js'
import { readSource, type SourceRow } from '#synoptic/data/datasets/source.js'
import { useHarness } from './harness.js'
import { medium, pageAnswer } from './media-pages.js'

const h = useHarness()
const sources = fileURLToPath(new URL('../../data/sources/', import.meta.url))

async function pulledAndRead(dataset: 'anime' | 'manga', media: readonly object[]) {
  h.server.script(pageAnswer(media, false))
  const mapping = await readMapping(join(sources, `anilist-${dataset}.json`))
  const path = join(h.folder, mapping.file)
  await pullMedia({ client: h.client(), dataset, path, pages: 1, logger: h.log, clock: h.clock })
  const rows: SourceRow[] = []
  const source = await readSource(
    { file: path, mapping },
    () => undefined,
    (row) => rows.push(row),
  )
  return { ...source, rows }
}

test('what is pulled of anime can be imported', async () => {
  const titled = { title: { romaji: 'Cowboy Bebop', english: null, native: 'カウボーイビバップ' } }
  const { rows, skipped } = await pulledAndRead('anime', [
    medium(1, { ...titled, format: 'TV_SHORT' }),
    medium(2),
    medium(3, { title: null }),
  ])
  expect(skipped.describe()).toMatch(/no title/)
  expect(rows).toHaveLength(2)
  expect(rows[0]).toMatchObject({
    id: 1,
    title: 'Cowboy Bebop',
    alternativeTitles: expect.arrayContaining(['カウボーイビバップ', 'Also 1']) as string[],
    type: 'tv_short',
    year: 1991,
    genres: ['Drama', 'Sci-Fi'],
    texts: ['Story of number 1.'],
    metadata: {
      malId: 1001,
      titleJapanese: 'カウボーイビバップ',
      averageScore: 71,
      popularity: 5000,
      isAdult: false,
      countryOfOrigin: 'JP',
      cover: 'https://img.example/1.jpg',
      url: 'https://anilist.co/anime/1',
    },
    facts: {
      episodes: 12,
      minutes: 24,
      source: 'light_novel',
      studios: ['Studio A'],
      // Space is a setting of many kinds, and no tag of the vocabulary.
      tags: { 'adult-cast': 3 },
      spoilerTags: { 'time-loop': 2 },
    },
  })
  expect(rows[1]?.title).toBe('English 2')
})

test('what is pulled of manga can be imported', async () => {
  const staff = { edges: [{ role: 'Story & Art', node: { name: { full: 'Miura Kentarou' } } }] }
  const { rows } = await pulledAndRead('manga', [
    medium(1, { format: 'NOVEL', volumes: 3, staff }),
    medium(2, { format: 'ONE_SHOT', description: null }),
  ])
  expect(rows.map(({ type }) => type)).toEqual(['light_novel', 'one_shot'])
  expect(rows[0]?.facts).toMatchObject({ volumes: 3, authors: ['Miura Kentarou'] })
  expect(rows[1]?.facts).toMatchObject({ volumes: null, authors: [] })
  expect(rows[1]?.texts).toEqual([null])
})
