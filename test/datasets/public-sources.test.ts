/**
 * The mappings of the ten anime and three manga sources, over fixtures with the header lines of the
 * public files; test/fixtures/data/headers.md lists where each line was found.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { importDatasets, type ImportOptions } from '#synoptic/data/datasets/import.js'
import { readMapping } from '#synoptic/data/datasets/mapping.js'
import { expect, test } from 'vitest'
import { fixtures, useWorkshop } from './workshop.js'

const workshop = useWorkshop()
const project = fileURLToPath(new URL('../..', import.meta.url))
const files = join(fixtures, 'sources')

/** In the order of a shell's `*.json`. */
function mappingsOf(dataset: 'anime' | 'manga'): string[] {
  const folder = join(project, 'data/sources', dataset)
  const names = readdirSync(folder).sort()
  return names.map((name) => join(folder, name))
}

const all = [...mappingsOf('anime'), ...mappingsOf('manga')]
const importAll = (changes: Partial<ImportOptions> = {}) =>
  importDatasets(all, { from: files, into: workshop.catalogue, ...changes })
const find = (dataset: 'anime' | 'manga', title: string) =>
  workshop.entries(dataset).filter((entry) => entry.title === title)

test('each mapping has a fixture of its own, and there are ten and three', async () => {
  const mappings = await Promise.all(all.map(readMapping))
  expect(mappings.map(({ file }) => file).sort()).toEqual(readdirSync(files).sort())
  expect(mappings.filter(({ dataset }) => dataset === 'anime')).toHaveLength(10)
  expect(mappings.filter(({ dataset }) => dataset === 'manga')).toHaveLength(3)
})

test('the columns have the names that clients and stored embeddings know, in that order', async () => {
  const { datasets } = await importAll()
  expect(datasets.map(({ columns }) => columns)).toEqual([
    [
      'synopsis',
      'Synopsis anime_dataset_2023',
      'Synopsis animes dataset',
      'Synopsis anime_270 Dataset',
      'Synopsis Anime-2022 Dataset',
      'Synopsis anime4500 Dataset',
      'Synopsis wykonos Dataset',
      'Synopsis Anime_data Dataset',
      'Synopsis anime2 Dataset',
      'Synopsis mal_anime Dataset',
    ],
    ['synopsis', 'Synopsis jikan Dataset', 'Synopsis data Dataset'],
  ])
})

test('one work of seven sources is one entry: original title, original texts, no text twice', async () => {
  await importAll()
  expect(find('anime', 'Tokei no Kajuen')).toMatchObject([
    {
      id: 1,
      type: 'tv',
      year: 1998,
      score: 8.12,
      genres: ['Drama', 'Fantasy'],
      metadata: {
        idSource: 'MyAnimeList',
        malId: 1,
        titleEnglish: 'The Clockwork Orchard',
        titleJapanese: '時計の果樹園',
        popularity: 5400,
        demographics: ['Seinen'],
        animePlanetRank: 1,
      },
      facts: { audience: 'seinen', tags: { mythology: 2 } },
      texts: [
        'A gardener grows brass apples, and the year is 1998. Nobody is told why.',
        'In an orchard of brass, one apple ticks.',
        null,
        'Brass apples are not for eating.',
        null,
        'Whoever eats a brass apple hears the clock.',
        'The orchard keeps its own time.',
        null,
        null,
        'There is a key under the oldest tree.',
      ],
    },
  ])
})

test('rows that only a joined source has are kept, with its id or one that is made', async () => {
  await importAll()
  expect(find('anime', 'Paper Moon Tantei')).toMatchObject([
    { id: 7, type: 'tv_special', year: 2011, score: null, genres: ['Mystery'] },
  ])
  expect(find('anime', 'Yuki no Kippu')).toMatchObject([{ id: 8, score: 7.9 }])
  const [lone, ...others] = find('anime', 'Left of the Moon')
  expect(others).toEqual([])
  expect(lone).toMatchObject({
    type: 'ona',
    year: 2020,
    score: 5,
    metadata: { idSource: 'made from title, type and year', malId: null },
    facts: { episodes: 6 },
  })
  expect(lone?.id).toBeGreaterThanOrEqual(2 ** 40)
  expect(find('manga', 'Suna no Hon')).toMatchObject([
    { id: 30, year: 2019, score: 7.8, texts: [null, 'A book whose pages are dunes.', null] },
  ])
  expect(find('manga', 'Kasa no Uta')).toMatchObject([
    {
      id: 31,
      type: 'one_shot',
      year: 2013,
      score: 7.25,
      genres: ['Drama', 'Fantasy'],
      facts: {
        otherTitles: ['Song of the Umbrella', '傘の歌'],
        status: 'finished',
        chapters: 1,
        audience: 'seinen',
      },
      metadata: {
        startDate: '2013-05-01',
        popularity: 900,
        demographics: ['Seinen'],
      },
      texts: [null, 'An umbrella remembers every song it was opened to.', null],
    },
  ])
  expect(find('anime', 'Glass Orchard')).toMatchObject([
    {
      type: 'ova',
      year: 2003,
      score: 6.9,
      genres: ['Adventure', 'Drama'],
      facts: { episodes: 2, studios: ['Studio Brass', 'Studio Glass'] },
      metadata: { popularity: 1204, themes: ['Historical'] },
    },
  ])
  expect(find('manga', 'Nowhere Else')).toMatchObject([{ texts: [null, null, 'Only here.'] }])
})

test('a row without an id, of a source that has ids, is joined by its title', async () => {
  const { datasets } = await importAll()
  expect(find('anime', 'Paper Moon Tantei')[0]?.texts.slice(1, 3)).toEqual([
    'A detective who is made of paper avoids the rain.',
    'He folds himself away at night.',
  ])
  expect(datasets[0]?.sources[2]).toMatchObject({ joined: 3, added: 0 })
})

test('a namesake of another type and year is another work', async () => {
  const { datasets } = await importAll()
  expect(find('anime', 'Harbour Lights').map(({ type, year }) => [type, year])).toEqual([
    ['tv', 1988],
    ['music', 1988],
  ])
  expect(find('anime', 'Minato no Akari')).toMatchObject([{ type: 'movie', year: 2004 }])
  for (const source of [5, 9]) {
    expect(datasets[0]?.sources[source]?.notes.describe()).toBe(
      '1 of another type or year: kept apart (line 4)',
    )
  }
})

test('texts that say that there is none are none; texts that begin like them stay', async () => {
  await importAll()
  expect(find('anime', 'Minato no Akari')[0]?.texts.slice(0, 3)).toEqual([
    null,
    null,
    "A lighthouse keeper's daughter writes letters to ships.",
  ])
  expect(find('anime', 'Unknown')[0]?.texts.every((text) => text === null)).toBe(true)
  expect(find('anime', 'Little Kettle')[0]?.texts[0]).toBe(
    'A kettle goes to school. A short film of it was made.',
  )
  const [comic, novel] = find('manga', 'Ame no Kissaten')
  expect(comic?.texts[0]).toMatch(/^1\. A tea house .* 2\) Its guests/)
  expect(novel?.texts).toEqual([null, null, null])
})

test('what is left out is left out after the joins, from every source, and counted', async () => {
  const { datasets } = await importAll({ leaveOut: ['adult', 'kids', 'music'] })
  const titles = workshop.entries('anime').map(({ title }) => title)
  for (const title of ['Night Harbour', 'Little Kettle', 'Kettle Song']) {
    expect(titles).not.toContain(title)
  }
  // jikan.csv has no genres of it, so its row would come back if it were joined later.
  expect(find('manga', 'Night Tea')).toEqual([])
  expect(datasets.map(({ leftOut }) => leftOut)).toEqual([
    [
      { kind: 'adult', count: 1 },
      { kind: 'kids', count: 2 },
      { kind: 'music', count: 2 },
    ],
    [
      { kind: 'adult', count: 1 },
      { kind: 'kids', count: 0 },
      { kind: 'music', count: 0 },
    ],
  ])
  await importAll()
  expect(find('anime', 'Night Harbour')).toHaveLength(1)
})

test('the same files make the same catalogue, byte for byte', async () => {
  await importAll()
  const first = readFileSync(workshop.catalogue)
  await importAll()
  expect(readFileSync(workshop.catalogue).equals(first)).toBe(true)
})

test('every source works without the others, but for the base', async () => {
  const [base = '', ...others] = mappingsOf('anime')
  for (const mapping of others) {
    const options = { from: files, into: workshop.catalogue }
    const { datasets } = await importDatasets([base, mapping], options)
    expect(datasets[0]?.columns).toHaveLength(2)
    await expect(importDatasets([mapping], options)).rejects.toThrow(/base is missing/)
  }
})

const data = process.env.SYNOPTIC_TEST_DATA ?? join(project, '../shared/data')
const real = ['anime4500.csv', 'Anime_data.csv']
const missing = real.filter((file) => !existsSync(join(data, file)))
if (missing.length > 0) {
  console.warn(`SKIPPED real sources: ${missing.join(', ')} not found; set SYNOPTIC_TEST_DATA`)
}

test.skipIf(missing.length > 0)('the real files have the headers of their fixtures', () => {
  for (const file of real) {
    const headerOf = (folder: string) => readFileSync(join(folder, file), 'utf8').split(/\r?\n/)[0]
    expect(headerOf(data)).toBe(headerOf(files))
  }
})

test.skipIf(missing.length > 0)(
  'the real files join onto a base by title',
  { tags: ['nightly'] },
  async () => {
    const mappings = mappingsOf('anime')
    const base = JSON.parse(readFileSync(mappings[0] ?? '', 'utf8')) as object
    const absolute = workshop.write('base.json', { ...base, file: join(files, 'anime.csv') })
    const titled = mappings.filter((path) => /0[68]-/.test(path))
    const options = { from: data, into: workshop.catalogue }
    const { datasets } = await importDatasets([absolute, ...titled], options)
    expect(datasets[0]?.sources.map(({ added }) => added)).toEqual([6, 4500, 2643])
    expect(find('anime', 'Summer Wars')).toMatchObject([{ type: 'movie', year: 2009 }])
  },
)
