/** Data sets that `data import` knows by what is in their files. */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { DataImportError } from '#synoptic/base/errors/index.js'
import { Database } from '#synoptic/base/util/sqlite.js'
import { importDatasets } from '#synoptic/data/datasets/import.js'
import { describe, expect, test } from 'vitest'
import { catalogueFiles, filesOfOne, jsonlMapping, lines, useWorkshop } from '../workshop.js'
import { makeKnownSets } from './known-sets.js'

const count = 120
const sets = makeKnownSets(count)
const workshop = useWorkshop()
const entryOf = (dataset: 'anime' | 'manga', id: number) =>
  workshop.entries(dataset).find((entry) => entry.id === id)

/** Under a name that says nothing. */
async function importAs(name: string, set: string) {
  const { datasets } = await workshop.import(workshop.write(name, readFileSync(sets.path(set))))
  return datasets.map(({ name, rows, version, columns }) => ({ name, rows, version, columns }))
}

describe('anime-offline-database', () => {
  test('gives titles, facts and franchises; an unknown number is none', async () => {
    await workshop.import(sets.path('anime-offline-database.jsonl'))
    const entries = workshop.entries('anime')
    expect(entries).toHaveLength(count)
    const one = entryOf('anime', 1)
    expect(one).toMatchObject({
      type: 'movie',
      year: 1971,
      score: 1.1,
      genres: ['Action'],
      facts: { episodes: 1, minutes: 24, status: 'ongoing' },
      metadata: { malId: 1, anilistId: 100_001, season: 'fall' },
      texts: [null],
    })
    expect(one?.facts.studios).toEqual(['Studio Iron', 'A-1 Pictures'])
    expect(one?.facts.tags).toHaveProperty('time-loop')
    expect(one?.facts.otherTitles).toContain('作品1')
    // The sequel is named by its page at another site than the one that gives it its id.
    expect(one?.facts.franchise).toBe('of-1')
    expect(entryOf('anime', 2)?.facts.franchise).toBe('of-1')
    expect(entryOf('anime', 4)?.facts.franchise).toBeNull()
    expect(entryOf('anime', 5)).toMatchObject({
      type: null,
      year: null,
      metadata: { season: null },
    })
    expect(entryOf('anime', 7)?.facts.episodes).toBeNull()
    expect(entryOf('anime', 13)?.title).toMatch(/^".* 13" \\ \{\[\]\} 🐱$/)
  })

  test('a work without a page at MyAnimeList has an id above all of them', async () => {
    await workshop.import(sets.path('anime-offline-database.jsonl'))
    const others = workshop.entries('anime').filter(({ metadata }) => metadata.malId === null)
    expect(others).toHaveLength(Math.floor(count / 9))
    expect(others.every(({ id }) => id >= 2 ** 41 && id < 2 ** 42)).toBe(true)
    expect(others.map(({ metadata }) => metadata.anilistId)).toContain(100_009)
  })

  test('is the same as a minified document, as lines, and compressed, under any name', async () => {
    const [asLines] = await importAs('one.txt', 'anime-offline-database.jsonl')
    const [asDocument] = await importAs('two', 'anime-offline-database-minified.json')
    expect(asLines).toMatchObject({ name: 'anime', rows: count, columns: ['synopsis'] })
    expect(asDocument).toEqual(asLines)
    const packed = gzipSync(sets.text('anime-offline-database.jsonl'))
    const { datasets } = await workshop.import(workshop.write('three.bin', packed))
    expect(datasets[0]?.version).toBe(asLines?.version)
  })

  test('with zstd is read, in any version of Node', async () => {
    // A frame with one block that is not compressed.
    const text = Buffer.from(sets.text('anime-offline-database.jsonl').slice(0, 3000))
    const whole = text.subarray(0, text.lastIndexOf('\n') + 1)
    const block = Buffer.alloc(3)
    block.writeUIntLE((whole.length << 3) | 1, 0, 3)
    const frame = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x60, 0, 0])
    frame.writeUInt16LE(whole.length - 256, 5)
    const file = workshop.write('aod.jsonl.zst', Buffer.concat([frame, block, whole]))
    const { datasets } = await workshop.import(file)
    expect(datasets[0]?.rows).toBeGreaterThan(1)
    const broken = workshop.write('cut.jsonl.zst', Buffer.concat([frame, block]))
    await expect(workshop.import(broken)).rejects.toThrow(/is not whole|valid rows/)
  })

  test('joins a CSV file of MyAnimeList by id, and a work that ships', async () => {
    const files = ['anime-offline-database.jsonl', 'mal-anime.csv'].map(sets.path)
    const summary = await importDatasets(files, { into: workshop.catalogue, works: true })
    const [anime] = summary.datasets
    const brought = ['included synopsis', 'in other words', 'in other words 2']
    expect(anime?.columns.slice(0, 4)).toEqual(['synopsis', ...brought])
    expect(anime?.sources.map(({ joined }) => joined)).toEqual([0, count - Math.floor(count / 9)])
    expect(anime?.works?.byId).toBeGreaterThan(0)
    expect(entryOf('anime', 1)?.texts[0]).toMatch(/\w+ \w+/)
  })
})

describe('MangaBaka', () => {
  test('is no view, which may have no end', async () => {
    const file = join(workshop.folder, 'series.sqlite')
    const database = new Database(file)
    database.exec(`CREATE VIEW series AS WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n)
      SELECT id, 'a' AS title, '' AS native_title, '' AS romanized_title, '' AS secondary_titles,
      '' AS content_rating, '' AS merged_with, '' AS relationships, '' AS has_anime, '' AS source FROM n`)
    database.close()
    await expect(workshop.import(file)).rejects.toThrow(DataImportError)
  })

  test('gives titles, texts, facts and franchises, and leaves out what is gone', async () => {
    workshop.write('catalogue.sqlite.unpacked', 'left by an import that was killed')
    await workshop.import(sets.path('series.sqlite.tar.gz'))
    const entries = workshop.entries('manga')
    expect(entries.map(({ id }) => id)).not.toContain(7)
    expect(entries.map(({ id }) => id)).not.toContain(8)
    expect(entryOf('manga', 5)).toMatchObject({
      type: 'other',
      year: null,
      score: 0.5,
      facts: {
        volumes: 6,
        chapters: 13,
        authors: ['Iron Writer', 'Glass Painter'],
        adult: false,
        franchise: 'of-5',
        tags: { 'time-loop': 2 },
      },
      metadata: {
        malId: 300_005,
        anilistId: 200_005,
        publishers: ['Paper House'],
        hasAnime: false,
      },
    })
    expect(entryOf('manga', 5)?.texts[0]).toMatch(/& more$/)
    expect(entryOf('manga', 6)?.texts).toEqual([null])
    expect(entryOf('manga', 6)?.facts.franchise).toBe('of-5')
    expect(entryOf('manga', 2)?.facts.adult).toBe(true)
    // A crossover does not make a franchise.
    expect(entryOf('manga', 1)?.facts.franchise).toBe('of-1')
    // What was unpacked is gone.
    expect(catalogueFiles(workshop.folder)).toEqual(filesOfOne('manga'))
  })

  test('is the same as a database in an archive or alone, a document, or lines', async () => {
    const packed = await importAs('a', 'series.sqlite.tar.gz')
    expect(await importAs('b', 'series.json')).toEqual(packed)
    expect(await importAs('c', 'series.jsonl')).toEqual(packed)
    const archive = sets.path('series.sqlite.tar.gz')
    execFileSync('tar', ['-xzf', archive, '-C', workshop.folder])
    const { datasets } = await workshop.import(`${workshop.folder}/series.sqlite`)
    expect(datasets[0]?.version).toBe(packed[0]?.version)
  })

  test('the report counts what its makers removed', async () => {
    const { datasets } = await workshop.import(sets.path('series.jsonl'))
    expect(datasets[0]?.sources[0]?.source.skipped.describe()).toContain('removed by its makers')
  })
})

describe('CSV files of MyAnimeList', () => {
  test('are read by the names of their columns', async () => {
    await workshop.import(sets.path('mal-anime.csv'), sets.path('mal-manga.csv'))
    expect(entryOf('anime', 1)).toMatchObject({
      type: 'tv',
      year: 1998,
      score: 7.25,
      genres: ['Action', 'Slice of Life'],
      facts: { episodes: 25, studios: ['Studio Iron', 'Glass'], source: 'light_novel' },
      metadata: { malId: 1, titleEnglish: null, ageRating: 'R - 17+' },
    })
    // The first rank is the best-known work.
    const known = workshop.read((catalogue) => catalogue.popularity('anime'))
    expect(known?.[0]).toBeGreaterThan(known?.[1] ?? Infinity)
    // Scores are out of 100 where one is above 10.
    expect(entryOf('manga', 42)).toMatchObject({ score: 4.2, genres: ['Action', 'Drama'] })
    expect(entryOf('manga', 42)?.facts.authors).toEqual(['Writer, Iron'])
    expect(entryOf('manga', 42)?.facts.magazines).toEqual(['Monthly Iron'])
  })

  test('tell anime from manga by works that are known by id where no column does', async () => {
    const header = 'item_id,title,genres,description\n'
    const manga = workshop.write('list.csv', `${header}2,Berserk,Action|Drama,A swordsman.\n`)
    const { datasets } = await workshop.import(manga)
    expect(datasets.map(({ name }) => name)).toEqual(['manga'])
    const anime = workshop.write('list.csv', `${header}1535,Death Note,Suspense,A notebook.\n`)
    const summary = await workshop.import(anime)
    expect(summary.datasets.map(({ name }) => name)).toEqual(['anime'])
  })

  test('with a mapping in data/sources use it', async () => {
    const file = new URL('../../fixtures/data/sources/anime4500.csv', import.meta.url)
    const { datasets } = await workshop.import(workshop.write('x.csv', readFileSync(file)))
    expect(datasets[0]?.columns).toEqual(['Synopsis anime4500 Dataset'])
  })
})

describe('what is nearly known', () => {
  const refused = (name: string, content: string | Uint8Array) =>
    expect(workshop.import(workshop.write(name, content))).rejects

  test('is refused with what it lacks', async () => {
    const noSources = lines({ title: 'One', animeSeason: {}, relatedAnime: [], synonyms: [] })
    await refused('a.jsonl', noSources).toThrow(
      /looks like anime-offline-database, but its entries have no "sources"/,
    )
    const noTitle = lines({ id: 1, native_title: 'One', content_rating: 'safe', has_anime: false })
    await refused('b.jsonl', noTitle).toThrow(
      /looks like MangaBaka, but its entries have no "title"/,
    )
    await refused('c.csv', 'anime_id,user_id,rating,score\n1,2,3,4\n').toThrow(
      /looks like a CSV file of MyAnimeList, but it lacks a title \(title, name\)/,
    )
    await refused('d.csv', 'title,genres,type,episodes\nOne,Action,TV,1\n').toThrow(
      /lacks an id \(anime_id, .*\) or a text \(synopsis, .*\)/,
    )
    await refused('e.csv', 'item_id,title,genres,description\n9999999,One,Action,A.\n').toThrow(
      /anything that shows whether it holds anime or manga/,
    )
  })

  test('is refused where it is cut or damaged, and the catalogue is unchanged', async () => {
    await workshop.import(sets.path('mal-anime.csv'))
    const before = readFileSync(workshop.catalogue)
    const document = sets.text('anime-offline-database-minified.json')
    await refused('a.json', document.slice(0, -500)).toThrow(/the JSON ends in the middle/)
    const archive = gunzipSync(readFileSync(sets.path('series.sqlite.tar.gz')))
    await refused('b', archive.subarray(0, -40_000)).toThrow(
      /is not a whole archive.*fetch it again/,
    )
    const compressed = gzipSync(sets.text('series.jsonl'))
    await refused('c.gz', compressed.subarray(0, -2000)).toThrow(/is not whole.*fetch it again/)
    expect(readFileSync(workshop.catalogue).equals(before)).toBe(true)
    expect(readdirSync(workshop.folder).filter((name) => name.includes('unpacked'))).toEqual([])
  })

  test('a table that has no titles is refused with what it has', async () => {
    await refused('a.csv', 'one,two,three\n1,2,3\n').toThrow(
      /has no field that looks like a title.*found 3 without a usual name/,
    )
  })

  test("a person's list is no catalogue", async () => {
    const xml = '<?xml version="1.0"?>\n<myanimelist><myinfo/><anime></anime></myanimelist>'
    await refused('list.xml.gz', gzipSync(xml)).toThrow(/is a person's list, not a catalogue/)
  })

  test('a mapping and another database are what they were', async () => {
    workshop.write('m.jsonl', lines({ id: 1, title: 'One', text: 'A story.' }))
    const { datasets } = await workshop.import(workshop.write('m.json', jsonlMapping('m')))
    expect(datasets[0]?.rows).toBe(1)
    await refused('other', readFileSync(workshop.catalogue)).toThrow(
      /has no field that looks like a/,
    )
  })
})
