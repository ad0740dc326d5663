/** Real catalogues from SYNOPTIC_TEST_DATA or ../shared/data; skipped aloud where they are not. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Catalogue } from '#synoptic/data/catalogue/catalogue.js'
import { openCatalogue } from '#synoptic/data/catalogue/open-catalogue.js'
import { importDatasets, type ImportSummary } from '#synoptic/data/datasets/import.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { entriesOf } from './workshop.js'

const project = fileURLToPath(new URL('../..', import.meta.url))
const data = process.env.SYNOPTIC_TEST_DATA ?? join(project, '../shared/data')
const files = ['anime4500.csv', 'Anime_data.csv', 'mal_manga_3000.csv']
const missing = files.filter((file) => !existsSync(join(data, file)))
if (missing.length > 0) {
  console.warn(`SKIPPED real data: ${missing.join(', ')} not found; set SYNOPTIC_TEST_DATA`)
}

describe.skipIf(missing.length > 0)('the real data sets', () => {
  const folder = mkdtempSync(join(tmpdir(), 'synoptic-real-'))
  const into = join(folder, 'catalogue.sqlite')
  const mappings = ['anime4500', 'anime/08-anime-data', 'mal-manga-3000'].map((name) =>
    join(project, 'data/sources', `${name}.json`),
  )
  let summary: ImportSummary
  let catalogue: Catalogue
  let anime: ReturnType<typeof entriesOf>
  let manga: ReturnType<typeof entriesOf>
  const byTitle = (entries: typeof anime, title: string) =>
    entries.filter((entry) => entry.title === title)

  beforeAll(async () => {
    summary = await importDatasets(mappings, { from: data, into })
    catalogue = openCatalogue(into)
    anime = entriesOf(catalogue, 'anime')
    manga = entriesOf(catalogue, 'manga')
  })
  afterAll(() => {
    catalogue.close()
    rmSync(folder, { recursive: true, force: true })
  })

  test('lose no row', () => {
    const [first, second] = summary.datasets
    expect(first?.sources).toMatchObject([
      { source: { rowsRead: 4500 }, joined: 0, added: 4500 },
      { source: { rowsRead: 2851 }, joined: 199, added: 2643 },
    ])
    expect(second?.sources).toMatchObject([{ source: { rowsRead: 2996 }, added: 2996 }])
    for (const dataset of summary.datasets) {
      for (const { source } of dataset.sources) expect(source.skipped.count).toBe(0)
    }
    // 2,851 = 199 joined, 2,643 new and 9 that the file has twice.
    expect(summary.datasets[0]?.sources[1]?.notes.describe()).toMatch(/^9 repeats an earlier row/)
    expect([anime.length, manga.length]).toEqual([7143, 2996])
  })

  test("have the columns of the specification's names, with their texts", () => {
    expect(summary.datasets).toMatchObject([
      {
        columns: ['Synopsis anime4500 Dataset', 'Synopsis Anime_data Dataset'],
        textCounts: [4428, 2442],
      },
      { columns: ['synopsis'], textCounts: [2991] },
    ])
  })

  test('tell how well known every work is, by users, votes and order', () => {
    const bestKnown = (dataset: 'anime' | 'manga', entries: typeof anime) => {
      const places = [...(catalogue.popularity(dataset) ?? [])]
      expect(places.filter((place) => place >= 0)).toHaveLength(entries.length)
      const best = Math.max(...places)
      return { best, title: entries[places.indexOf(best)]?.title }
    }
    expect(bestKnown('anime', anime).title).toBe('DEATH NOTE')
    expect(bestKnown('anime', anime).best).toBeCloseTo(Math.log(4500), 4)
    expect(bestKnown('manga', manga).title).toBe('Berserk')
    expect(bestKnown('manga', manga).best).toBeCloseTo(Math.log(2996), 4)
  })

  test('join what is one work in both', () => {
    expect(byTitle(anime, 'DEATH NOTE')).toMatchObject([
      {
        id: 1335,
        type: 'tv',
        year: 2006,
        genres: ['Mystery', 'Psychological', 'Supernatural', 'Thriller'],
        facts: { episodes: 37, source: 'manga' },
        metadata: { animePlanetRank: 155, startDate: '2006-10-04' },
        texts: [
          expect.stringMatching(/^Light Yagami is a genius/),
          expect.stringMatching(/^Have you ever felt/),
        ],
      },
    ])
    expect(byTitle(anime, 'Death Note')).toEqual([])
    expect(byTitle(anime, 'Summer Wars')).toMatchObject([{ type: 'movie', year: 2009 }])
  })

  test('keep apart what is not: a film and a series of one name', () => {
    const cobra = anime.filter(({ title }) => title.toLowerCase() === 'space adventure cobra')
    expect(cobra.map(({ type }) => type)).toEqual(['movie', 'tv'])
  })

  test('give right-only works their own facts', () => {
    expect(byTitle(anime, 'Attack on Titan')).toMatchObject([
      {
        type: 'tv',
        year: null,
        facts: { episodes: 25 },
        metadata: { animePlanetRank: 88, isAdult: null },
      },
    ])
    expect(byTitle(manga, 'Berserk')).toMatchObject([
      {
        id: 2,
        genres: expect.arrayContaining(['Action', 'Seinen']) as string[],
        metadata: { malId: 2 },
      },
    ])
  })

  test('hold no markup, credit or placeholder', () => {
    const texts = [...anime, ...manga].flatMap((entry) =>
      entry.texts.filter((text) => text !== null),
    )
    const dirty = texts.filter((text) =>
      /<br|<\/?i>|&[a-z]+;|\(source:|\[written by mal|^No synopsis|^N\/A$/i.test(text),
    )
    expect(dirty).toEqual([])
    expect(texts.filter((text) => text.includes('\n\n')).length).toBeGreaterThan(1000)
  })

  test('are ordered by id, each id once', () => {
    for (const entries of [anime, manga]) {
      const ids = entries.map(({ id }) => id)
      expect(ids).toEqual([...new Set(ids)].sort((one, other) => one - other))
    }
  })

  test('make the same catalogue again, byte for byte', { tags: ['nightly'] }, async () => {
    const again = join(folder, 'again.sqlite')
    const { datasets } = await importDatasets(mappings.toReversed(), { from: data, into: again })
    expect(datasets.map(({ version }) => version)).toEqual(
      summary.datasets.map(({ version }) => version),
    )
    expect(readFileSync(again).equals(readFileSync(into))).toBe(true)
  })

  test.each([
    ['anime', 'kill people by writing their names in a notebook', 'DEATH NOTE'],
    [
      'anime',
      'brothers search for the philosophers stone to restore their bodies, alchemy',
      'Fullmetal Alchemist',
    ],
    ['manga', 'one-eyed black swordsman hunts demons for revenge', 'Berserk'],
  ] as const)('in %s, "%s" is found by its words', async (dataset, query, title) => {
    const entries = dataset === 'anime' ? anime : manga
    const hits = await catalogue.lexical(dataset, query, 5)
    const titles = hits.map(({ row }) => entries[row]?.title)
    expect(titles.map((found) => found?.toLowerCase().slice(0, title.length))).toContain(
      title.toLowerCase(),
    )
  })
})
