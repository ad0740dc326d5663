/** Searches find writes that are not merged yet, as they find them once they are merged. */
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CatalogueRow } from '#synoptic/data/catalogue/catalogue-row.js'
import type { EntryFilter } from '#synoptic/data/catalogue/filter.js'
import { journalFile, lineOf } from '#synoptic/data/writes/journal.js'
import { mergeAll } from '#synoptic/data/writes/merge-writes.js'
import type { WriteOperation, WriteRecord, WrittenEntry } from '#synoptic/data/writes/operation.js'
import { openPending, type Pending } from '#synoptic/data/writes/pending.js'
import { createEncoders } from '#synoptic/models/residency/encoders.js'
import { builtinModel } from '#synoptic/models/registry/registry.js'
import { openSearch, type OpenSearch } from '#synoptic/search/composition/open-search.js'
import type { EntryOrder } from '#synoptic/search/browse/entry-order.js'
import { row } from '../catalogue/shelf.js'
import { openLibrary, type Library } from '../search/library.js'
import { sampleFolder } from '../serve/sample.js'

interface SampleWork {
  readonly title: string
  readonly year: number
  readonly synopsis: string
}

const texts = readFileSync(join(sampleFolder, 'anime.jsonl'), 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as SampleWork)
const shops = ['harbour', 'station', 'market']
const rows = texts.slice(0, 61).map(({ title, year, synopsis }, i): CatalogueRow =>
  row((i + 1) * 3, {
    title,
    year,
    type: i % 2 === 0 ? 'tv' : 'movie',
    metadata: { shop: shops[i % 3] ?? null, price: i },
    texts: [synopsis, i % 4 === 0 ? `${title} in short` : null],
  }),
)
const newText = 'A hedgehog bakes bread in a lighthouse for lost sailors.'

const dataset = 'anime'
const put = (...entries: readonly WrittenEntry[]): WriteOperation => ({
  kind: 'put',
  dataset,
  entries,
})
const entry = (id: number, more: Partial<WrittenEntry>): WrittenEntry => ({
  id,
  title: `New ${id}`,
  facts: {},
  ...more,
})

/** Each step is added alone. */
const steps: readonly (readonly WriteOperation[])[] = [
  [
    put(
      entry(1, {
        title: 'The Lighthouse Baker',
        type: 'tv',
        year: 2025,
        metadata: { shop: 'harbour', price: 500 },
        texts: { synopsis: newText },
      }),
    ),
  ],
  [
    { kind: 'patch', dataset, id: 9, changes: { texts: { synopsis: `${newText} Again.` } } },
    { kind: 'patch', dataset, id: 12, changes: { metadata: { shop: 'harbour', price: -4 } } },
    { kind: 'delete', dataset, ids: [6, 15] },
  ],
  [
    put(
      entry(3, { metadata: { shop: 'market', price: 7.5 }, texts: { synopsis: 'A quiet day.' } }),
      entry(200, { metadata: { shop: 'station', price: 900 }, texts: { synopsis: newText } }),
      entry(201, { metadata: { shop: 'station', price: 901 } }),
    ),
    {
      kind: 'delete-matching',
      dataset,
      filter: { where: { shop: { any: ['station'] }, price: { from: 900 } } },
    },
  ],
  [
    put(entry(1, { title: 'The Lighthouse Baker, again', texts: { synopsis: newText } })),
    { kind: 'delete', dataset, ids: [3] },
  ],
  [
    put(
      ...Array.from({ length: 20 }, (_, i) =>
        entry(300 + i, {
          metadata: { shop: 'harbour', price: i * 4 + 0.5 },
          texts: { synopsis: texts[80 + i]?.synopsis ?? '' },
        }),
      ),
    ),
  ],
]
let seq = 0
const records = steps.map((operations) =>
  operations.map((operation): WriteRecord => ({ seq: (seq += 1), at: 'now', operation })),
)

let library: Library
let pending: Pending
let merged: OpenSearch
let copy: string
const encoders = createEncoders({ isBulk: true })

beforeAll(async () => {
  library = await openLibrary([
    {
      name: 'anime',
      columns: ['synopsis', 'scenes'],
      filterables: [
        { name: 'shop', kind: 'text' },
        { name: 'price', kind: 'number' },
      ],
      rows,
    },
    {
      name: 'manga',
      columns: ['synopsis'],
      rows: rows.slice(0, 9).map((one) => ({ ...one, texts: one.texts.slice(0, 1) })),
    },
  ])
  const { settings, search } = library
  pending = await openPending(settings, encoders)
  for (const some of records) {
    await pending.add(some)
    // Not only the last state is opened.
    await search.pending.refresh(() => Promise.resolve())
  }
  // The oracle: the same writes, merged, in a copy.
  copy = mkdtempSync(join(tmpdir(), 'synoptic-merged-'))
  const [dataDir, embeddingsDir] = [join(copy, 'data'), join(copy, 'embeddings')]
  cpSync(settings.dataDir, dataDir, { recursive: true })
  cpSync(settings.embeddingsDir, embeddingsDir, { recursive: true })
  writeFileSync(journalFile(dataDir), records.flat().map(lineOf).join(''))
  await mergeAll({ ...settings, dataDir, embeddingsDir })
  merged = await openSearch({ ...settings, dataDir, embeddingsDir })
})
afterAll(async () => {
  await merged.close()
  pending.close()
  await encoders.close()
  rmSync(copy, { recursive: true, force: true })
})

const filters: readonly EntryFilter[] = [
  {},
  { types: ['tv'] },
  { where: { shop: { any: ['harbour'] } } },
  { where: { price: { from: 3, to: 40 } }, yearFrom: 1990 },
  { where: { shop: { none: ['market'] } } },
]
const queries = [newText, texts[4]?.synopsis ?? '', texts[85]?.synopsis ?? '', 'a boy and a robot']

describe('searches of descriptions', () => {
  const find = async (
    { similar, catalogue, pending }: OpenSearch,
    options: Partial<Parameters<typeof similar.similar>[0]>,
  ) => {
    const { dataset, results, pagination } = await similar.similar({
      dataset: 'anime',
      model: builtinModel,
      page: 1,
      resultsPerPage: 200,
      description: newText,
      ...options,
    })
    const entries = results.map(({ row, column, similarity, explain }) => {
      const place = pending.place(dataset, row) ?? { catalogue, row }
      const { id, title } = place.catalogue.entry('anime', place.row)
      return { id, title, column, similarity, explain }
    })
    return { entries, pagination }
  }

  it.each(filters)('are the same by vectors with %j', async (filter) => {
    for (const description of queries) {
      const wanted = await find(merged, { description, filter })
      expect(wanted.entries.length).toBeGreaterThan(5)
      const found = await find(library.search, { description, filter })
      // Entries with equal scores are in the order of their rows, which pending ones have at the end.
      const byId = (list: typeof wanted.entries) => list.toSorted((a, b) => a.id - b.id)
      expect(byId(found.entries)).toEqual(byId(wanted.entries))
      expect(found.entries.map(({ similarity }) => similarity)).toEqual(
        wanted.entries.map(({ similarity }) => similarity),
      )
      expect(found.pagination).toEqual(wanted.pagination)
    }
  })

  it('cut the same pages of one order', async () => {
    const whole = await find(library.search, {})
    const pages = [1, 2, 3, 4].map((page) => find(library.search, { page, resultsPerPage: 5 }))
    expect((await Promise.all(pages)).flatMap(({ entries }) => entries)).toEqual(
      whole.entries.slice(0, 20),
    )
  })

  it.each(['lexical', 'hybrid'] as const)('find the same entries in the mode %s', async (mode) => {
    for (const filter of filters) {
      for (const description of queries) {
        const [wanted, found] = await Promise.all(
          [merged, library.search].map((search) => find(search, { mode, description, filter })),
        )
        const ids = (list: typeof wanted) => new Set(list?.entries.map(({ id }) => id))
        expect(ids(found)).toEqual(ids(wanted))
        const best = (list: typeof wanted) => list?.entries[0]?.explain?.lexical?.score ?? 0
        // How rare a word is, is counted without what is pending, a quarter of this catalogue.
        expect(best(found)).toBeGreaterThan(best(wanted) * 0.7)
        expect(best(found)).toBeLessThan(best(wanted) * 1.4 + 0.1)
      }
    }
    const [first] = (await find(library.search, { mode })).entries
    expect(first?.title).toBe('The Lighthouse Baker, again')
  })

  it('put the entry first whose title the description is', async () => {
    const description = 'The Lighthouse Baker, again'
    const { entries } = await find(library.search, { mode: 'hybrid', description })
    expect(entries[0]?.id).toBe(1)
  })
})

describe('ranked searches', () => {
  const options = {
    numResults: 8,
    batchSize: 32,
    candidates: 200,
    includeLightNovels: true,
  } as const
  const rank = async ({ ranked }: OpenSearch, query: string, filter: EntryFilter = {}) =>
    ranked.ranked({ ...options, dataset: 'anime', query, filter, facets: ['where'] })

  it('find what is pending, and nothing that is deleted', async () => {
    let checked = 0
    for (const filter of filters) {
      for (const query of queries) {
        const [wanted, found] = [
          await rank(merged, query, filter),
          await rank(library.search, query, filter),
        ]
        expect(found.pagination).toEqual(wanted.pagination)
        expect(found.entriesTotal).toBe(wanted.entriesTotal)
        expect(found.facets).toEqual(wanted.facets)
        // What does not fit has scores near each other, and rarity counts other rows.
        if ((wanted.results[0]?.score ?? 0) < 0.5) continue
        checked += 1
        expect(found.results[0]?.id).toBe(wanted.results[0]?.id)
        expect(found.results[0]?.score).toBeCloseTo(wanted.results[0]?.score ?? 0, 1)
      }
    }
    expect(checked).toBeGreaterThan(8)
  })

  it('answer several queries, and both datasets in one order', async () => {
    const each = await library.search.ranked.rankedEach({ ...options, dataset: 'anime', queries })
    const alone = await Promise.all(queries.map((query) => rank(library.search, query)))
    const idsOf = (answer: (typeof each)[number] | undefined) =>
      answer === undefined || answer instanceof Error ? [] : answer.results.map(({ id }) => id)
    expect(each.map(idsOf)).toEqual(alone.map(idsOf))
    const joined = await library.search.joined({ ...options, query: newText })
    expect(joined.results[0]).toMatchObject({ dataset: 'anime', id: 1 })
  })

  it('filter by metadata in one dataset of several', async () => {
    const where = { shop: { any: ['harbour'] }, price: { to: 3 } }
    const query = { ...options, query: newText, filter: { where } }
    const search = async ({ joined }: OpenSearch) => joined({ ...query, datasets: ['anime'] })
    const [wanted, found] = [await search(merged), await search(library.search)]
    const ids = ({ results }: typeof wanted) =>
      results.map(({ id }) => id).toSorted((a, b) => a - b)
    expect(ids(found)).toEqual(ids(wanted))
    // The one that a pending write has moved to the harbour, and one that a write has added.
    expect(ids(found)).toEqual(expect.arrayContaining([12, 300]))
    expect(found.pagination).toEqual(wanted.pagination)
    // The manga have no such metadata.
    await expect(library.search.joined(query)).rejects.toThrow('where')
  })
})

describe('listings and entries', () => {
  it.each([
    { by: 'price' },
    { by: 'price', ascending: true },
    { by: 'year' },
  ] satisfies EntryOrder[])('are the same, sorted by %j', async (sort) => {
    for (const filter of filters) {
      const list = async ({ listEntries }: OpenSearch, page: number) =>
        listEntries({ dataset: 'anime', filter, sort, page, numResults: 7, facets: ['types'] })
      for (const page of [1, 2]) {
        const [wanted, found] = [await list(merged, page), await list(library.search, page)]
        const values = ({ results }: typeof wanted) => results.map(({ sortedBy }) => sortedBy)
        expect(values(found)).toEqual(values(wanted))
        expect(found.pagination).toEqual(wanted.pagination)
        expect(found.facets).toEqual(wanted.facets)
      }
    }
  })

  it('are those of the writes', async () => {
    for (const id of [1, 3, 6, 9, 12, 15, 18, 200, 201, 300, 319]) {
      const wanted = await merged.browse.entry('anime', id)
      const found = await library.search.browse.entry('anime', id)
      expect(found?.entry).toEqual(wanted?.entry)
      expect(found === undefined).toBe([3, 6, 15, 200, 201].includes(id))
    }
    const prefix = { prefix: 'the lighthouse b', limit: 5, adult: true }
    expect(await library.search.browse.titles('anime', prefix)).toMatchObject([{ id: 1 }])
    expect(await library.search.browse.titled('anime', 'New 300')).toMatchObject([{ id: 300 }])
    expect(library.search.browse.titleOf('anime', 1)).toBe('The Lighthouse Baker, again')
  })

  it('like an entry are none that is deleted, and show what is replaced', async () => {
    const { similar, pending, catalogue } = library.search
    const query = { dataset: 'anime', model: builtinModel, page: 1, resultsPerPage: 100 } as const
    const { dataset, results } = await similar.neighbours({ ...query, id: 18 })
    const shown = results.map(({ row }) => {
      const place = pending.place(dataset, row) ?? { catalogue, row }
      return place.catalogue.entry('anime', place.row)
    })
    const ids = shown.map(({ id }) => id)
    expect(ids).not.toContain(6)
    expect(ids).not.toContain(3)
    expect(shown.find(({ id }) => id === 12)?.metadata).toMatchObject({ price: -4 })
    await expect(similar.neighbours({ ...query, id: 15 })).rejects.toThrow(
      'no entry with the id 15',
    )
  })
})

describe('files of pending writes', () => {
  it('go when they are not needed', () => {
    const folder = join(library.settings.dataDir, 'pending')
    expect(existsSync(folder)).toBe(true)
    pending.remove()
    // What is open stays.
    expect(library.search.browse.titleOf('anime', 1)).toBe('The Lighthouse Baker, again')
  })
})
