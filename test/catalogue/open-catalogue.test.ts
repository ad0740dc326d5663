/** Reading a catalogue, and files that are none. */
import { copyFileSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Database } from '#synoptic/base/util/sqlite.js'
import type { Catalogue } from '#synoptic/data/catalogue/catalogue.js'
import { catalogueFile, openCatalogue } from '#synoptic/data/catalogue/open-catalogue.js'
import { CatalogueError } from '#synoptic/base/errors/index.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { build, row, useFolder } from './shelf.js'

const folder = useFolder()
const file = join(folder, 'good.sqlite')
const rows = 700
const manga = {
  name: 'manga',
  columns: ['synopsis', 'Synopsis two'],
  rows: [
    row(3, {
      title: '紙の月',
      type: 'light_novel',
      year: 1987,
      genres: ['Mystery', 'Sci-Fi'],
      facts: {
        otherTitles: ['Paper Moon'],
        volumes: null,
        relation: 'sequel',
        tags: { 'time-loop': 3 },
        spoilerTags: { 'cosmic-horror': 1 },
      },
      metadata: { isAdult: false, score: 7.25 },
      texts: ['First.\n\nSecond “quoted” 🌙.', null],
    }),
    row(2 ** 40 + 7, { texts: [null, 'Only here.'] }),
  ],
} as const
const anime = {
  name: 'anime',
  columns: ['synopsis'],
  rows: Array.from({ length: rows }, (_, id) =>
    row(id, { texts: [id % 3 === 0 ? null : `Story ${id}`] }),
  ),
} as const
build(file, anime, manga)

describe('a catalogue', () => {
  let catalogue: Catalogue
  beforeAll(() => {
    catalogue = openCatalogue(file)
  })
  afterAll(() => catalogue.close())

  test('says what datasets it has', () => {
    expect(catalogue.datasets()).toEqual([
      {
        name: 'anime',
        version: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
        rows,
        columns: ['synopsis'],
      },
      {
        name: 'manga',
        version: expect.any(String) as string,
        rows: 2,
        columns: ['synopsis', 'Synopsis two'],
      },
    ])
    expect(catalogue.dataset('manga')).toBe(catalogue.datasets()[1])
  })

  test('has an inverted index of the facts', () => {
    const facts = catalogue.facts('manga')
    expect(facts.rowCount).toBe(2)
    const kinds = ['type', 'genre', 'relation', 'tag', 'studio'] as const
    const plain = kinds.flatMap((wanted) =>
      Array.from(facts.listsOf(wanted), ({ kind, value, rows, weights }) => {
        return [kind, value, [...rows], weights && [...weights]]
      }),
    )
    expect(plain).toEqual([
      ['type', 'light_novel', [0], null],
      ['genre', 'Mystery', [0], null],
      ['genre', 'Sci-Fi', [0], null],
      ['relation', 'sequel', [0], null],
      ['tag', 'cosmic-horror', [0], [1]],
      ['tag', 'time-loop', [0], [3]],
    ])
    expect([...facts.years]).toEqual([1987, 0])
    expect([...facts.volumes]).toEqual([0, 0])
    expect(catalogue.facts('manga')).toBe(facts)
  })

  test('has an index of all titles', () => {
    const index = catalogue.workNames('manga').titles
    expect(index.titleCount).toBe(3)
    expect(index.match('paper mon', 5)[0]).toMatchObject({ row: 0, title: 'Paper Moon' })
  })

  test('gives entries back as they went in', () => {
    const { texts, ...entry } = manga.rows[0]
    expect(catalogue.entry('manga', 0)).toEqual(entry)
    expect([0, 1].map((column) => catalogue.text('manga', 0, column))).toEqual(texts)
    expect(catalogue.entry('manga', 1).id).toBe(2 ** 40 + 7)
  })

  test('goes through the texts of a column, blank ones left out, however many', () => {
    const expected = anime.rows.flatMap(({ texts: [text] }, position) =>
      text === null || text === undefined ? [] : [{ row: position, text }],
    )
    expect([...catalogue.texts('anime', 0)]).toEqual(expected)
    expect([...catalogue.texts('manga', 1)]).toEqual([{ row: 1, text: 'Only here.' }])
  })

  test('may be read while its texts are gone through, twice at a time', () => {
    const one = catalogue.texts('anime', 0)
    const other = catalogue.texts('anime', 0)
    for (let step = 0; step < 300; step += 1) {
      expect(one.next()).toEqual(other.next())
      expect(catalogue.entry('anime', step).id).toBe(step)
    }
  })

  test.each([-1, rows, 1.5, Number.NaN])('has no row %d', (position) => {
    const message = `expected a row from 0 to ${rows - 1}, received ${position}`
    expect(() => catalogue.entry('anime', position)).toThrow(new RangeError(message))
    expect(() => catalogue.text('anime', position, 0)).toThrow(RangeError)
  })

  test.each([-1, 1, 0.5])('has no column %d', (column) => {
    expect(() => catalogue.text('anime', 0, column)).toThrow(RangeError)
    expect(() => catalogue.texts('anime', column)).toThrow(RangeError)
  })
})

test('a dataset that is not there is undefined, and asking it is an error', async () => {
  const path = join(folder, 'manga.sqlite')
  build(path, manga)
  const catalogue = openCatalogue(path)
  expect(catalogue.dataset('anime')).toBeUndefined()
  for (const ask of [
    () => catalogue.entry('anime', 0),
    () => catalogue.mask('anime', { types: ['tv'] }),
    () => catalogue.rowOfId('anime', 1),
    () => catalogue.texts('anime', 0),
    () => catalogue.entry('novels', 0),
  ]) {
    expect(ask).toThrow(/expected a dataset of the catalogue \(manga\)/)
  }
  for (const ask of [
    () => catalogue.lexical('anime', 'story', 5),
    () => catalogue.lexicalScores('anime', 'story', Uint32Array.of(0)),
  ]) {
    await expect(ask()).rejects.toThrow(/expected a dataset of the catalogue \(manga\)/)
  }
  catalogue.close()
})

test('closing twice is no error, and reading afterwards is one', async () => {
  const catalogue = openCatalogue(file)
  const texts = catalogue.texts('anime', 0)
  texts.next()
  catalogue.close()
  catalogue.close()
  expect(() => catalogue.entry('anime', 0)).toThrow(CatalogueError)
  await expect(catalogue.lexical('anime', 'story', 5)).rejects.toThrow(/the catalogue is closed/)
  expect(() => [...texts]).toThrow(/the catalogue is closed/)
  expect(catalogue.datasets()).toHaveLength(2)
})

test('the former name of a relation is read from catalogues of version 7', () => {
  const path = join(folder, 'seven.sqlite')
  copyFileSync(file, path)
  const database = new Database(path)
  database.exec(`UPDATE entries SET facts = replace(facts, '"relation"', '"place"');
    PRAGMA user_version = 7`)
  database.close()
  const catalogue = openCatalogue(path)
  expect(catalogue.entry('manga', 0).facts).toEqual(manga.rows[0].facts)
  expect(catalogue.facts('manga').valuesOf('relation').values).toEqual(['sequel'])
  catalogue.close()
})

test('who has the old file open keeps it', async () => {
  const path = join(folder, 'replaced.sqlite')
  build(path, anime)
  const old = openCatalogue(path)
  build(path, { ...anime, rows: [row(1, { title: 'New' })] })
  const fresh = openCatalogue(path)
  expect(fresh.entry('anime', 0).title).toBe('New')
  expect(old.entry('anime', 699).title).toBe('Title 699')
  expect([...old.texts('anime', 0)]).toHaveLength(466)
  expect(await old.lexical('anime', 'story', 5)).toHaveLength(5)
  expect(old.dataset('anime')?.version).not.toBe(fresh.dataset('anime')?.version)
  old.close()
  fresh.close()
})

test('several readers share a file that nobody may write', () => {
  const readers = [openCatalogue(file), openCatalogue(file), openCatalogue(file)]
  for (const reader of readers) expect(reader.entry('anime', 5).id).toBe(5)
  for (const reader of readers) reader.close()
})

describe('a file that is no catalogue', () => {
  const damaged = (name: string, damage: (path: string) => void): string => {
    const path = join(folder, name)
    copyFileSync(file, path)
    damage(path)
    return path
  }
  const run = (sql: string) => (path: string) => {
    const database = new Database(path)
    database.exec(sql)
    database.close()
  }

  test.each([
    ['that is missing', () => join(folder, 'none.sqlite'), 'missing', /there is no catalogue/],
    [
      'in a folder that is missing',
      () => join(folder, 'none', 'c.sqlite'),
      'missing',
      /there is no/,
    ],
    [
      'that is a folder',
      () => {
        mkdirSync(join(folder, 'dir'))
        return join(folder, 'dir')
      },
      'corrupt',
      /damaged/,
    ],
    [
      'that is empty',
      () => damaged('empty', (path) => writeFileSync(path, '')),
      'corrupt',
      /another database/,
    ],
    [
      'that is text',
      () => damaged('text', (path) => writeFileSync(path, 'x'.repeat(5000))),
      'corrupt',
      /SQLITE_NOTADB/,
    ],
    [
      'that was cut',
      () => damaged('cut', (path) => truncateSync(path, 50_000)),
      'corrupt',
      /SQLITE_CORRUPT/,
    ],
    [
      'of another program',
      () => damaged('other', run('PRAGMA application_id = 7')),
      'corrupt',
      /another database/,
    ],
    [
      'of a later version',
      () => damaged('later', run('PRAGMA user_version = 99')),
      'version',
      /expected schema version 10, found 99/,
    ],
    ['without a table', () => damaged('table', run('DROP TABLE texts')), 'corrupt', /damaged/],
    [
      'with broken columns',
      () => damaged('columns', run(`UPDATE datasets SET columns = '["'`)),
      'corrupt',
      /broken JSON/,
    ],
    [
      'with the popularity of other entries',
      () => damaged('popularity', run("UPDATE datasets SET popularity = x'0000803f0000'")),
      'corrupt',
      /expected the popularity of \d+ entries, found 1\b/,
    ],
  ])('%s is refused with the command that mends it', (_, path, code, message) => {
    const place = path()
    const open = () => openCatalogue(place)
    expect(open).toThrow(CatalogueError)
    expect(open).toThrow(expect.objectContaining({ code }) as Error)
    expect(open).toThrow(message)
    expect(open).toThrow(
      /import your files again, or the included works: `synoptic data import data\/works\/anime\.json/,
    )
  })

  test('is noticed at the row that is damaged, where it opens', () => {
    const path = damaged('pages', (damagedPath) => {
      const bytes = readFileSync(damagedPath)
      // Everything but the first page, which says what the file is.
      bytes.fill(0xff, 16_384 * 3, bytes.length)
      writeFileSync(damagedPath, bytes)
    })
    const read = () => {
      const catalogue = openCatalogue(path)
      try {
        for (let position = 0; position < rows; position += 1) {
          catalogue.entry('anime', position)
          catalogue.text('anime', position, 0)
        }
      } finally {
        catalogue.close()
      }
    }
    expect(read).toThrow(/damaged \(SQLITE_CORRUPT.*synoptic data import/)
  })

  test('is noticed at a row that is missing', () => {
    const path = damaged('rows', run('DELETE FROM entries WHERE row = 5'))
    const catalogue = openCatalogue(path)
    expect(() => catalogue.entry('anime', 5)).toThrow(/row 5 is missing/)
    expect(catalogue.entry('anime', 4).id).toBe(4)
    catalogue.close()
  })
})

test('the file lies in the data folder', () => {
  expect(catalogueFile('/srv/data')).toBe(join('/srv/data', 'catalogue.sqlite'))
})
