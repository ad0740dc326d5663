/**
 * A public dump has titles and facts of many works and no texts. The included works join it with all of theirs, so
 * descriptions find as well in it as in the included catalogue alone, and works without a text do not get in their way.
 * SYNOPTIC_TEST_DUMP_WORKS=33000 makes it as large as anime-offline-database, which takes minutes. It imports and embeds
 * all included works twice; test/datasets/join-works.test.ts tests the join with a few.
 * @module-tag nightly
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { catalogueFile } from '#synoptic/data/catalogue/open-catalogue.js'
import { openSearch } from '#synoptic/search/composition/open-search.js'
import { readSettings } from '#synoptic/base/config/read.js'
import { serverSettings } from '#synoptic/base/config/settings.js'
import { importDatasets } from '#synoptic/data/datasets/import.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { embedLibrary } from './library.js'

const dumpWorks = Number(process.env.SYNOPTIC_TEST_DUMP_WORKS ?? 3000)
/** Of the included works, besides those that the descriptions are of. */
const knownWorks = dumpWorks > 30_000 ? Infinity : 300
const data = new URL('../../data/works/', import.meta.url)
const benchData = new URL('../../bench/data/descriptions.jsonl', import.meta.url)

interface Work {
  readonly mal: number
  readonly type: string
  readonly year?: number
  readonly franchise: string
  readonly titles: { readonly romaji: string; readonly english?: string }
}
interface Description {
  readonly dataset: string
  readonly title: string
  readonly titles: readonly string[]
  readonly description: string
}
const readLines = <T>(file: URL) =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T)

const works = readLines<Work>(new URL('anime.jsonl', data))
const fold = (title: string) => title.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
const workOfTitle = new Map(
  works
    .toReversed()
    .flatMap((work) =>
      [work.titles.romaji, work.titles.english ?? ''].map((title) => [fold(title), work] as const),
    ),
)
/** Each with the ids of the works of its franchise; any of them is right. */
const queries = readLines<Description>(benchData).flatMap(
  ({ dataset, title, titles, description }) => {
    const work = [title, ...titles].map((one) => workOfTitle.get(fold(one))).find(Boolean)
    if (dataset !== 'anime' || work === undefined) return []
    const answers = works.filter(({ franchise }) => franchise === work.franchise)
    return [{ description, answers: new Set(answers.map(({ mal }) => mal)) }]
  },
)

/** As anime-offline-database has it. */
function dumpRow(id: number, title: string, type: string, year: number | undefined) {
  return {
    sources: [`https://myanimelist.net/anime/${id}`],
    title,
    type: type.toUpperCase(),
    episodes: 12,
    status: 'FINISHED',
    animeSeason: { season: 'SPRING', year: year ?? null },
    picture: '',
    thumbnail: '',
    score: null,
    synonyms: [],
    relatedAnime: [],
    tags: [],
    studios: [],
    producers: [],
  }
}

const firstId = 10_000_000

/** Titles without a text are made of the words that people ask with, so that words find them, too. */
function dump(): string {
  const wanted = new Set(queries.flatMap(({ answers }) => [...answers]))
  const known = works.filter(({ mal }, place) => wanted.has(mal) || place < knownWorks)
  const words = queries.flatMap(({ description }) => description.split(' '))
  const rows = known.map(({ mal, titles, type, year }) => dumpRow(mal, titles.romaji, type, year))
  for (let place = rows.length; place < dumpWorks; place += 1) {
    const title = [0, 1, 2]
      .map((i) => words[(place * (7 + i * 12) + i * 5) % words.length])
      .join(' ')
    rows.push(dumpRow(firstId + place, title, 'tv', 1970 + (place % 50)))
  }
  return JSON.stringify({ license: {}, lastUpdate: '2026-01-01', data: rows })
}

/** Imports a file into a catalogue of its own, embeds it, and runs all queries on it. */
async function ask(folder: string, file: string) {
  const folders = ['data', 'embeddings', 'models'].map(
    (name) => `--${name}-dir=${join(folder, name)}`,
  )
  const { settings } = readSettings(serverSettings, [...folders, '--workers=1'], {})
  await importDatasets([file], { into: catalogueFile(settings.dataDir), works: true })
  const search = await openSearch(settings)
  try {
    await embedLibrary('anime', settings, search)
    const columns = search.catalogue.dataset('anime')?.columns ?? []
    const places: { ranks: number; textless: number }[] = []
    for (const { description, answers } of queries) {
      const { results } = await search.ranked.ranked({
        dataset: 'anime',
        query: description,
        numResults: 10,
        batchSize: 32,
        candidates: 100,
        includeLightNovels: false,
      })
      const place = results.findIndex(({ id }) => answers.has(id))
      const before = results.slice(0, place < 0 ? results.length : place)
      places.push({
        ranks: place < 0 ? 0 : 1 / (place + 1),
        textless: before.filter(({ synopsis, matched }) => synopsis === '' && !matched).length,
      })
    }
    return {
      columns,
      mrr: places.reduce((sum, { ranks }) => sum + ranks, 0) / places.length,
      textless: places.reduce((sum, { textless }) => sum + textless, 0),
    }
  } finally {
    await search.close()
  }
}

describe(`a dump of ${dumpWorks} works, nearly all without a text`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'synoptic-dump-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  let joined: Awaited<ReturnType<typeof ask>>
  let included: Awaited<ReturnType<typeof ask>>
  beforeAll(async () => {
    const file = join(folder, 'dump.json')
    writeFileSync(file, dump())
    joined = await ask(join(folder, 'joined'), file)
    included = await ask(join(folder, 'included'), fileURLToPath(new URL('anime.json', data)))
  }, 1_800_000)

  test('has all texts of the included works', () => {
    expect(joined.columns).toEqual(
      expect.arrayContaining(included.columns.filter((column) => column !== 'synopsis')),
    )
    expect(joined.columns).toContain('included synopsis')
  })

  test('is searched as well as the included works alone', () => {
    expect(queries.length).toBeGreaterThan(60)
    expect(included.mrr).toBeGreaterThan(0.9)
    expect(joined.mrr).toBeGreaterThan(included.mrr - 0.02)
  })

  test('has no work without a text before the one whose text matches', () => {
    expect(joined.textless).toBe(0)
  })
})
