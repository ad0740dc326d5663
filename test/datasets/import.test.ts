/** Fixture files with every bad row, through the mapping, into a real catalogue and out of it. */
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { importDatasets } from '#synoptic/data/datasets/import.js'
import { describe, expect, test } from 'vitest'
import {
  catalogueFiles,
  filesOfOne,
  fixtures,
  jsonlMapping,
  lines,
  useWorkshop,
} from './workshop.js'

const workshop = useWorkshop()
const shelf = join(fixtures, 'shelf.json')
const drawer = join(fixtures, 'drawer.json')

describe('a CSV file', () => {
  test('becomes entries in the order of their ids, with plain texts', async () => {
    const summary = await workshop.import(shelf)
    expect(workshop.entries('anime')).toEqual([
      {
        id: 3,
        title: 'The Clockwork Orchard',
        type: 'movie',
        year: 1998,
        score: null,
        genres: ['Fantasy', "Children's"],
        facts: { otherTitles: [] },
        metadata: { aired: '1998' },
        texts: ['A gardener grows brass apples, and "one" of them ticks.\n\nNobody is told why.'],
      },
      {
        id: 7,
        title: 'Harbour Lights',
        type: 'tv',
        year: 2004,
        score: null,
        genres: ['Drama', 'Slice of Life'],
        facts: { otherTitles: [] },
        metadata: { aired: '2004' },
        texts: ["A lighthouse keeper's daughter writes letters to ships."],
      },
      {
        id: 11,
        title: 'Comma, Quote and "Café"',
        type: 'light_novel',
        year: 2005,
        score: null,
        genres: ['Action', 'Comedy'],
        facts: { otherTitles: [] },
        metadata: { aired: '2005-10-04' },
        texts: [null],
      },
      {
        id: 12,
        title: 'Empty',
        type: null,
        year: null,
        score: null,
        genres: [],
        facts: { otherTitles: [] },
        metadata: { aired: null },
        texts: [null],
      },
    ])
    expect(summary.datasets).toMatchObject([
      { name: 'anime', rows: 4, columns: ['Synopsis shelf Dataset'], textCounts: [2] },
    ])
  })

  test('has its bad rows reported by the line on which each begins', async () => {
    const summary = await workshop.import(shelf)
    const source = summary.datasets[0]?.sources[0]?.source
    expect(source?.rowsRead).toBe(11)
    expect(source?.skipped.describe()).toBe(
      '3 no usable id (lines 9, 10, 11); 1 no title (line 12); 1 repeated id (line 13); ' +
        '1 fewer fields than the header (line 14); 1 more fields than the header (line 15)',
    )
  })

  test.each([
    ['a byte order mark', (text: string) => `\ufeff${text}`],
    ['CRLF line ends', (text: string) => text.replaceAll('\n', '\r\n')],
    ['no line end after the last row', (text: string) => text.trimEnd()],
    ['empty lines between rows', (text: string) => text.replaceAll('\n7,', '\n\n\n7,')],
  ])('may have %s', async (_, change) => {
    const text = 'id,title,text\n3,Three,"A text\non two lines."\n7,Seven,"Another ""one""."\n'
    workshop.write('list.csv', change(text))
    const mapping = jsonlMapping('list', { file: 'list.csv', format: 'csv' })
    await workshop.import(workshop.write('list.json', mapping))
    expect(workshop.entries('anime')).toMatchObject([
      { id: 3, title: 'Three', texts: ['A text\non two lines.'] },
      { id: 7, title: 'Seven', texts: ['Another "one".'] },
    ])
  })

  test('counts lines alike whatever ends them', async () => {
    const text = 'id,title,text\n1,One,"two\nlines"\n\n\n2,,no title\n'
    const mapping = workshop.write('l.json', jsonlMapping('l', { file: 'l.csv', format: 'csv' }))
    for (const lineEnd of ['\n', '\r\n', '\r']) {
      workshop.write('l.csv', text.replaceAll('\n', lineEnd))
      const { datasets } = await workshop.import(mapping)
      expect(datasets[0]?.sources[0]?.source.skipped.describe()).toBe('1 no title (line 6)')
    }
  })

  test('may be in another encoding that the mapping names', async () => {
    const latin = Buffer.from('id,title,text\n1,Café,Señor\n', 'latin1')
    workshop.write('latin.csv', latin)
    const mapping = { file: 'latin.csv', format: 'csv', encoding: 'windows-1252' }
    await workshop.import(workshop.write('latin.json', jsonlMapping('latin', mapping)))
    expect(workshop.entries('anime')).toMatchObject([{ title: 'Café', texts: ['Señor'] }])
  })

  test('may hold a character that two pieces of the file share', async () => {
    const filler = 'x'.repeat(256 * 1024 - 'id,title,text\n1,One,'.length - 1)
    workshop.write('cut.csv', `id,title,text\n1,One,${filler}月\r\n2,Two,b\r\n`)
    await workshop.import(
      workshop.write('cut.json', jsonlMapping('cut', { file: 'cut.csv', format: 'csv' })),
    )
    expect(workshop.entries('anime').map(({ texts }) => texts[0])).toEqual([`${filler}月`, 'b'])
  })
})

describe('a JSON lines file', () => {
  test('becomes entries, its values read as the mapping says', async () => {
    await workshop.import(drawer)
    expect(workshop.entries('manga')).toEqual([
      {
        id: 1,
        title: 'Unknown',
        type: 'one_shot',
        year: null,
        score: null,
        genres: [],
        facts: { otherTitles: [], volumes: null, authors: [] },
        metadata: {},
        texts: ['A work that is called so.'],
      },
      {
        id: 2,
        title: 'Paper Moon Detective',
        type: 'light_novel',
        year: 2011,
        score: null,
        genres: ['Mystery'],
        facts: { otherTitles: ['紙の月探偵', 'PMD'], volumes: 4, authors: ['A. Writer'] },
        metadata: {},
        texts: ['A detective who is made of paper avoids the rain.'],
      },
      {
        id: 9,
        title: 'Spaces and & signs',
        type: null,
        year: 1987,
        score: null,
        genres: ['Action', 'Drama'],
        facts: { otherTitles: [], volumes: null, authors: [] },
        metadata: {},
        texts: [null],
      },
    ])
  })

  test('has its bad rows reported by their lines', async () => {
    const summary = await workshop.import(drawer)
    expect(summary.datasets[0]?.sources[0]?.source.skipped.describe()).toBe(
      '1 repeated id (line 3); 2 broken JSON (lines 4, 5); 2 no usable id (lines 6, 7); ' +
        '1 no title (line 9)',
    )
  })
})

describe('an import', () => {
  test('replaces the datasets that it names and keeps the others to the letter', async () => {
    const first = await workshop.import(shelf, drawer)
    const manga = workshop.entries('manga')
    workshop.write('new.jsonl', lines({ id: 1, title: 'New', text: 'Another.' }))
    const second = await workshop.import(workshop.write('new.json', jsonlMapping('new')))
    expect(second.retained).toEqual([expect.objectContaining({ name: 'manga', rows: 3 })])
    expect(second.retained[0]?.version).toBe(first.datasets[1]?.version)
    expect(workshop.entries('manga')).toEqual(manga)
    expect(workshop.entries('anime')).toMatchObject([{ id: 1, title: 'New' }])
    const hits = await workshop.read((catalogue) =>
      catalogue.lexical('manga', 'paper detective', 5),
    )
    expect(hits.map(({ row }) => row)).toEqual([1])
  })

  test('of the same input has the same version, in any folder', async () => {
    const one = await workshop.import(shelf, drawer)
    const again = await workshop.import(drawer, shelf)
    for (const name of ['shelf.json', 'shelf.csv']) {
      copyFileSync(join(fixtures, name), join(workshop.folder, name))
    }
    const elsewhere = await workshop.import(join(workshop.folder, 'shelf.json'))
    const versions = one.datasets.map(({ version }) => version)
    expect(versions).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), expect.any(String)])
    expect(again.datasets.map(({ version }) => version)).toEqual(versions)
    expect(elsewhere.datasets[0]?.version).toBe(versions[0])
  })

  test.each([
    ['a text', { id: 1, title: 'One', text: 'Changed.' }],
    ['a title', { id: 1, title: 'Won', text: 'Same.' }],
    ['an id', { id: 2, title: 'One', text: 'Same.' }],
  ])('has another version when %s changes', async (_, changed) => {
    const mapping = workshop.write('a.json', jsonlMapping('a'))
    workshop.write('a.jsonl', lines({ id: 1, title: 'One', text: 'Same.' }))
    const before = await workshop.import(mapping)
    workshop.write('a.jsonl', lines(changed))
    const after = await workshop.import(mapping)
    expect(after.datasets[0]?.version).not.toBe(before.datasets[0]?.version)
  })

  test('reports how far it is, up to the end of both phases', async () => {
    const progress: string[] = []
    await importDatasets([shelf], {
      into: workshop.catalogue,
      onProgress: ({ phase, done, total }) => progress.push(`${phase} ${done === total}`),
    })
    expect(progress).toContain('read true')
    expect(progress.at(-1)).toBe('write true')
  })

  test('takes its files from the given folder', async () => {
    const mapping = workshop.write('shelf.json', {
      ...jsonlMapping('shelf'),
      file: 'shelf.csv',
      format: 'csv',
      fields: { id: 'Nr', title: 'Name' },
      texts: { synopsis: 'Plot' },
    })
    await importDatasets([mapping], { from: fixtures, into: workshop.catalogue })
    expect(workshop.entries('anime')).toHaveLength(4)
  })

  test('leaves nothing behind but the catalogue, its index of rows and its lock', async () => {
    await workshop.import(shelf)
    expect(catalogueFiles(workshop.folder)).toEqual(filesOfOne('anime'))
  })
})
