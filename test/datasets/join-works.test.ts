/** The included works join a user's catalogue: they add, and change nothing that it says. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { dataImport } from '#synoptic/cli/data-import.js'
import { importDatasets } from '#synoptic/data/datasets/import.js'
import { importSettings } from '#synoptic/base/config/settings.js'
import { readSettings } from '#synoptic/base/config/read.js'
import { describe, expect, test, vi } from 'vitest'
import { jsonlMapping, lines, useWorkshop } from './workshop.js'

const workshop = useWorkshop()
const folder = new URL('../../data/works/', import.meta.url)

interface Work {
  readonly mal: number
  readonly anilist?: number
  readonly titles: { readonly romaji: string; readonly other?: readonly string[] }
  readonly year: number
  readonly genres: readonly string[]
  readonly studios: readonly string[]
  readonly episodes: number
  readonly franchise: string
  readonly tags: Readonly<Record<string, number>>
  readonly synopsis: string
  readonly descriptions: readonly string[]
  readonly scenes?: readonly string[]
  readonly looksLike?: readonly string[]
  readonly spoilers?: readonly string[]
}
const works = readFileSync(new URL('anime.jsonl', folder), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Work)
const deathNote = works.find(({ mal }) => mal === 1535)
const bebop = works.find(({ mal }) => mal === 1)
if (deathNote === undefined || bebop === undefined) throw new Error('expected works of that name')
/** The columns that they bring, with the text of one; a column that no work fills is none. */
const broughtBy = (work: Work) => {
  const linesOf = ({ scenes, looksLike, spoilers }: Work) => ({
    scenes: scenes?.join('\n'),
    'looks like': looksLike?.join('\n'),
    spoilers: spoilers?.join('\n'),
  })
  const isFilled = (column: string) =>
    works.some((other) =>
      Object.entries(linesOf(other)).some(([name, text]) => name === column && text),
    )
  return Object.fromEntries([
    ['included synopsis', work.synopsis],
    ...work.descriptions.map(
      (text, i) => [i ? `in other words ${i + 1}` : 'in other words', text] as const,
    ),
    ...Object.entries(linesOf(work)).filter(([column]) => isFilled(column)),
  ]) as Record<string, string | undefined>
}
const brought = broughtBy(deathNote)
const columns = ['Synopsis own', ...Object.keys(brought)]

const fields = { id: 'id', title: 'title', type: 'type', year: 'year', genres: 'genres' }
const withIds = {
  fields: { ...fields, studios: 'studios' },
  metadata: { malId: 'mal', anilistId: 'anilist' },
}
const unknown = { type: null, year: null, genres: [], studios: [], mal: null, anilist: null }

async function importOwn(rows: readonly object[], mapping: object = withIds, isOn = true) {
  workshop.write('own.jsonl', lines(...rows.map((row) => ({ ...unknown, text: 'mine', ...row }))))
  const path = workshop.write('own.json', jsonlMapping('own', mapping))
  const { datasets } = await importDatasets([path], { into: workshop.catalogue, works: isOn })
  return { dataset: datasets[0], entries: workshop.entries('anime') }
}

describe('included works', () => {
  test('are joined by an id of MyAnimeList, and fill what the source lacks', async () => {
    const { dataset, entries } = await importOwn([
      { id: 5, title: 'DN', mal: 1535, studios: ['My Studio'], genres: ['Mine'] },
      { id: 6, title: 'Nobody Knows This', mal: 999_999_999 },
    ])
    expect(dataset?.columns).toEqual(columns)
    expect(dataset?.works).toEqual({ byId: 1, byTitle: 0, notFound: works.length - 1 })
    const { tags, franchise, episodes, year } = deathNote
    expect(entries).toMatchObject([
      {
        id: 5,
        title: 'DN',
        type: 'tv',
        year,
        genres: ['Mine'],
        facts: { studios: ['My Studio'], tags, franchise, episodes },
        metadata: { malId: 1535, anilistId: deathNote.anilist },
        texts: ['mine', ...Object.values(brought).map((text) => text ?? null)],
      },
      {
        id: 6,
        facts: { studios: [], tags: {}, franchise: null },
        texts: columns.map((_, column) => (column === 0 ? 'mine' : null)),
      },
    ])
    expect(entries[0]?.facts.otherTitles).toContain('Death Note')
    expect(Object.keys(entries[0]?.metadata ?? {})).toEqual(['malId', 'anilistId'])
  })

  test('are joined by an id of AniList', async () => {
    const { dataset } = await importOwn([{ id: 5, title: 'DN', anilist: deathNote.anilist }])
    expect(dataset?.works).toMatchObject({ byId: 1, byTitle: 0 })
  })

  test('give their ids to works that they join by title, so that lists recognize them', async () => {
    const { entries } = await importOwn([{ title: 'Death Note' }, { title: 'Not a Work' }], {
      fields: { title: 'title', type: 'type', year: 'year', genres: 'genres' },
    })
    const byTitle = Object.fromEntries(entries.map((entry) => [entry.title, entry.metadata]))
    expect(byTitle).toMatchObject({
      'Death Note': { malId: 1535, anilistId: 1535 },
      'Not a Work': { malId: null, anilistId: null },
    })
  })

  test.each<[string, object, number]>([
    ['by title', { title: 'death note' }, 1],
    ['by title, type and year', { title: 'Death Note', type: 'TV', year: 2007 }, 1],
    ['not with another type', { title: 'Death Note', type: 'movie' }, 0],
    ['not with another year', { title: 'Death Note', year: 2015 }, 0],
    ['not with another id', { title: 'Death Note', mal: 999_999_999 }, 0],
  ])('are joined %s', async (_, row, byTitle) => {
    const { dataset } = await importOwn([{ id: 5, ...row }])
    expect(dataset?.works).toEqual({ byId: 0, byTitle, notFound: works.length - byTitle })
    expect(dataset?.columns).toHaveLength(byTitle === 0 ? 1 : columns.length)
    expect(dataset?.rows).toBe(1)
  })

  test('give ids of their own to no work', async () => {
    const mapping = { fields: { ...fields, id: undefined }, join: undefined }
    const row = { title: 'Death Note' }
    const off = await importOwn([row], mapping, false)
    const on = await importOwn([row], mapping)
    expect(on.entries.map(({ id }) => id)).toEqual(off.entries.map(({ id }) => id))
    expect(on.entries[0]?.year).toBe(deathNote.year)
    expect(off.dataset?.works).toBeUndefined()
    expect(off.dataset?.columns).toEqual(['Synopsis own'])
  })

  test('fill the blanks of a column of their name, and no more', async () => {
    const { dataset, entries } = await importOwn(
      [
        { id: 5, title: 'Death Note', text: 'my own words' },
        { id: 6, title: bebop.titles.romaji, text: '' },
      ],
      { fields, texts: { 'In Other Words': 'text' } },
    )
    expect(dataset?.columns.slice(0, 3)).toEqual([
      'In Other Words',
      'included synopsis',
      'in other words 2',
    ])
    expect(entries.map(({ texts }) => texts.slice(0, 3))).toEqual([
      ['my own words', deathNote.synopsis, deathNote.descriptions[1]],
      [bebop.descriptions[0], bebop.synopsis, bebop.descriptions[1]],
    ])
  })

  test('do not join themselves', async () => {
    const path = fileURLToPath(new URL('anime.json', folder))
    const { datasets } = await importDatasets([path], { into: workshop.catalogue, works: true })
    expect(datasets[0]?.works).toBeUndefined()
    expect(datasets[0]?.rows).toBe(works.length)
  })
})

describe('--works', () => {
  async function run(...argv: string[]) {
    workshop.write('own.jsonl', lines({ id: 1, title: 'Death Note', text: 'mine' }))
    const path = workshop.write('own.json', jsonlMapping('own'))
    let out = ''
    const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
      out += String(text)
      return true
    })
    try {
      const words = ['--data-dir', workshop.folder, ...argv, path]
      const { settings, rest } = readSettings(importSettings, words, {})
      expect(await dataImport.run(rest, settings)).toBe(0)
    } finally {
      write.mockRestore()
    }
    return out
  }

  test('is on unless it is off, and the report says what joined', async () => {
    const joined = `  included works: 1 of ${works.length} joined your entries (0 by id, 1 by title)`
    expect((await run()).split('\n')).toContain(joined)
    const off = await run('--works', 'off')
    expect(off).not.toContain('included works')
    expect(off).not.toContain('in other words')
    await expect(run('--works', 'maybe')).rejects.toThrow(
      /--works: expected one of on, off, received "maybe"/,
    )
  })
})
