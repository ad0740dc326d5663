/** Lists in files, as MyAnimeList and AniList export them. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { createFileLists } from '#synoptic/data/anilist/file-lists.js'
import { readListFile } from '#synoptic/data/anilist/list-file.js'
import { afterAll, describe, expect, test } from 'vitest'
import { useHarness } from './harness.js'

const h = useHarness()
const folder = mkdtempSync(join(tmpdir(), 'synoptic-list-file-'))
afterAll(() => rmSync(folder, { recursive: true }))

function write(content: string | Uint8Array | object): string {
  const file = join(folder, 'list')
  const isText = typeof content === 'string' || content instanceof Uint8Array
  writeFileSync(file, isText ? content : JSON.stringify(content))
  return file
}

const xml = `<?xml version="1.0" encoding="UTF-8" ?>
<!-- of MyAnimeList -->
<myanimelist>
  <myinfo><user_name>Somebody</user_name><user_total_anime>3</user_total_anime></myinfo>
  <anime>
    <series_animedb_id>1535</series_animedb_id>
    <series_title><![CDATA[Death Note]]></series_title>
    <my_score>9</my_score>
    <my_status>Completed</my_status>
  </anime>
  <anime><series_animedb_id>19</series_animedb_id><my_status>On-Hold</my_status></anime>
  <anime><series_animedb_id>x</series_animedb_id><my_status>Watching</my_status></anime>
  <anime><series_animedb_id>5</series_animedb_id><my_status>Sleeping</my_status></anime>
  <manga><manga_mangadb_id>2</manga_mangadb_id><my_status>Plan to Read</my_status></manga>
</myanimelist>`
const ofXml = [
  { dataset: 'anime', mediaId: null, malId: 1535, status: 'COMPLETED', score: 9 },
  { dataset: 'anime', mediaId: null, malId: 19, status: 'PAUSED', score: null },
  { dataset: 'manga', mediaId: null, malId: 2, status: 'PLANNING', score: null },
]

describe('a file', () => {
  test('of MyAnimeList, also packed; what it cannot mean is left out', async () => {
    expect(await readListFile(write(xml))).toEqual(ofXml)
    expect(await readListFile(write(gzipSync(xml)))).toEqual(ofXml)
  })

  test('of a megabyte of elements without an end is read once', async () => {
    const begunMs = performance.now()
    const unclosed = `<myanimelist>${'<anime>'.repeat(160_000)}`
    await expect(readListFile(write(unclosed))).rejects.toThrow('found no entry')
    const members = `<anime>${'<my_status>'.repeat(100_000)}</anime>`
    expect(await readListFile(write(xml.replace('</myanimelist>', members)))).toEqual(ofXml)
    expect(performance.now() - begunMs).toBeLessThan(5000)
  })

  test("of AniList's API", async () => {
    const media = { idMal: 19, type: 'ANIME' }
    const entries = [
      { mediaId: 1535, status: 'CURRENT', media: { idMal: 20 } },
      { mediaId: 7, status: 'REPEATING', score: 85, media },
      { mediaId: 8, status: 'NEW' },
    ]
    const collection = { MediaListCollection: { lists: [{ entries }, null] } }
    const expected = [
      // Without the type, MyAnimeList's id could be that of another work.
      { dataset: null, mediaId: 1535, malId: null, status: 'CURRENT', score: null },
      { dataset: 'anime', mediaId: 7, malId: 19, status: 'REPEATING', score: 8.5 },
    ]
    expect(await readListFile(write(collection))).toEqual(expected)
    expect(await readListFile(write({ data: collection }))).toEqual(expected)
  })

  test("of AniList's export", async () => {
    const lists = [
      { series_id: 1535, series_type: 0, status: 2 },
      { series_id: 30_002, series_type: 1, status: 5 },
      { series_id: 1, series_type: 0, status: 9 },
    ]
    expect(await readListFile(write({ user: {}, lists }))).toEqual([
      { dataset: 'anime', mediaId: 1535, malId: null, status: 'COMPLETED', score: null },
      { dataset: 'manga', mediaId: 30_002, malId: null, status: 'REPEATING', score: null },
    ])
  })

  test.each(['', 'text', '{}', '<html></html>', '{"lists": []}'])(
    'that is none: %j',
    async (text) => {
      await expect(readListFile(write(text))).rejects.toThrow(/expected an export of MyAnimeList/)
    },
  )
})

describe('the lists of files', () => {
  const catalogue = {
    rowsOfSite: (dataset: string, site: string, id: number) =>
      dataset === 'anime' && site === 'mal' && id === 1535 ? [4] : [],
  }

  test('meet entries by the ids of sites', async () => {
    const lists = createFileLists({ catalogue, files: [write(xml)], logger: h.log })
    const found = await lists.lookUp('anime')
    expect(found).toEqual({ statuses: new Map([[4, 'COMPLETED']]), note: null })
    expect((await lists.lookUp('manga'))?.statuses.size).toBe(0)
  })

  test('say in each search and in the log that one cannot be read', async () => {
    const files = [write(xml), join(folder, 'missing')]
    const lists = createFileLists({ catalogue, files, logger: h.log })
    const found = await lists.lookUp('anime')
    expect(found?.statuses.size).toBe(1)
    expect(found?.note).toMatch(/file of --lists-file could not be read/)
  })
})
