/** `data init` looks at files as people have them, and what it writes can be imported as it is. */
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { openCatalogue } from '#synoptic/data/catalogue/open-catalogue.js'
import { guessMapping, mappingFileOf } from '#synoptic/data/datasets/guess-mapping.js'
import { synopticHere as synoptic } from '../helpers/run-here.js'
import { entriesOf, useWorkshop } from './workshop.js'

const workshop = useWorkshop()
const plot = 'A lighthouse keeper finds a bottle with a letter that she wrote as a child.'

async function initAndImport(name: string, content: string | Uint8Array) {
  const file = workshop.write(name, content)
  const { mapping } = await guessMapping(file)
  const summary = await workshop.import(workshop.write('guessed.json', mapping))
  expect(summary.datasets).toHaveLength(1)
  return { mapping, entries: workshop.entries(mapping.dataset === 'manga' ? 'manga' : 'anime') }
}

describe('a file with', () => {
  test('semicolons and other names', async () => {
    const rows = ['Nr;Titel;Genre;Jahr;Beschreibung', `7;Die Flut;Drama, Abenteuer;1999;${plot}`]
    const { mapping, entries } = await initAndImport('mine.csv', rows.join('\r\n'))
    expect(mapping).toMatchObject({ fields: { id: 'Nr', title: 'Titel', year: 'Jahr' } })
    expect(entries[0]).toMatchObject({ id: 7, title: 'Die Flut', year: 1999 })
    expect(entries[0]?.genres).toEqual(['Drama', 'Abenteuer'])
  })

  test('Windows-1252', async () => {
    const text = `id,Name,Synopsis\n1,Caf\u00e9 \u2013 Na\u00efve,${plot}\n`
    const bytes = Buffer.from(text.replace('\u2013', '\u0096'), 'latin1')
    const { mapping, entries } = await initAndImport('mine.csv', bytes)
    expect(mapping.encoding).toBe('windows-1252')
    expect(entries[0]?.title).toBe('Café – Naïve')
  })

  test('Shift JIS', async () => {
    // ひかり
    const kana = Buffer.from([0x82, 0xd0, 0x82, 0xa9, 0x82, 0xe8])
    const bytes = Buffer.concat([Buffer.from('id,name,plot\n1,'), kana, Buffer.from(`,${plot}\n`)])
    expect((await initAndImport('a.csv', bytes)).entries[0]?.title).toBe('ひかり')
  })

  test('tabs, a score of 100, and volumes', async () => {
    const rows = [
      'mal_id\ttitle\tvolumes\tscore\tPublished in\tsynopsis',
      `11\tTide\t3\t85\tMonthly Sea\t${plot}`,
      `12\tEbb\t?\t9\t\t${plot} Twice.`,
    ]
    const { mapping, entries } = await initAndImport('list.tsv', rows.join('\n'))
    expect(mapping).toMatchObject({
      dataset: 'manga',
      fields: { score: { from: 'score', outOf: 100 }, volumes: 'volumes' },
      metadata: { malId: { from: 'mal_id', as: 'integer' } },
    })
    expect(entries[0]).toMatchObject({ id: 11, score: 8.5 })
    expect(entries[0]?.facts).toMatchObject({ volumes: 3, magazines: ['Monthly Sea'] })
  })

  test('JSON lines, and texts under a name that nobody knows', async () => {
    const line = JSON.stringify({ name: 'Tide', genres: ['Drama'], blurb: plot })
    const { mapping, entries } = await initAndImport('mine.jsonl', line)
    expect(mapping).toMatchObject({ format: 'jsonl', texts: { synopsis: 'blurb' } })
    expect(mapping).not.toHaveProperty('fields.id')
    expect(entries[0]?.genres).toEqual(['Drama'])
  })

  test('gzip', async () => {
    const packed = gzipSync(`id,name,plot\n1,Tide,${plot}\n`)
    const { entries } = await initAndImport('mine.csv.gz', packed)
    expect(entries[0]).toMatchObject({ id: 1, title: 'Tide' })
  })

  test('counts, scores and headers as people write them', async () => {
    const rows = [
      'Anime Title,Episodes,Director(s),Studio(s),Release Date,Rating,My Rating,User Score (mine),Plot (short)',
      `Tide,12 eps,"Ann Mori, Ken Ito",Bones,"Apr 3, 2001",PG-13,,8.5/10,${plot}`,
      `Ebb,"1,024 eps (ongoing)",Ken Ito,Bones,Oct 2010,R - 17+,,7/10,${plot} Twice.`,
      `Sea,?,,Bones,,,,,${plot} Thrice.`,
    ]
    const { mapping, entries } = await initAndImport('mine.csv', rows.join('\n'))
    expect(mapping.fields).toEqual({
      title: 'Anime Title',
      year: 'Release Date',
      score: { from: 'User Score (mine)', match: '^[\\d.,]+' },
      episodes: { from: 'Episodes', match: '\\d[\\d,]*' },
      studios: 'Studio(s)',
      directors: 'Director(s)',
    })
    expect(mapping.texts).toEqual({ synopsis: 'Plot (short)' })
    const [ebb, sea, tide] = entries.toSorted((one, other) => one.title.localeCompare(other.title))
    expect(tide).toMatchObject({ year: 2001, score: 8.5, facts: { episodes: 12 } })
    expect(tide?.facts.directors).toEqual(['Ann Mori', 'Ken Ito'])
    expect(ebb).toMatchObject({ year: 2010, score: 7, facts: { episodes: 1024 } })
    expect(sea).toMatchObject({ year: null, score: null, facts: { episodes: null } })
  })

  test.each([
    ['8/10', 'rating', '^[\\d.,]+', undefined, 8],
    ['4 / 5', 'Score', '^[\\d.,]+', 5, 8],
    ['85%', 'Mean Score', '^[\\d.,]+', 100, 8.5],
  ])('the score %s', async (value, header, match, outOf, score) => {
    const { mapping, entries } = await initAndImport(
      'mine.csv',
      `name,${header},plot\nTide,${value},${plot}\n`,
    )
    const expected = { from: header, match, ...(outOf !== undefined && { outOf }) }
    expect(mapping.fields).toMatchObject({ score: expected })
    expect(entries[0]?.score).toBe(score)
  })

  test.each([
    ['PG-13', 'Rating', 'score'],
    ['many', 'Episodes', 'episodes'],
  ])('%s as %s has no such member', async (value, header, member) => {
    const content = `name,${header},plot\nTide,${value},${plot}\n`
    const { mapping } = await guessMapping(workshop.write('mine.csv', content))
    expect(mapping.fields).not.toHaveProperty(member)
  })

  test.each([
    ['a header only', 'id,name,plot\n', /has no row below its header/],
    [
      'no titles',
      `id,plot\n1,${plot}\n`,
      /no field that looks like a title; .*; found "id", "plot"/,
    ],
    [
      'lists of names for texts',
      `name,staff\nTide,"${Array.from({ length: 9 }, (_, i) => `Ann Mori ${i}`).join(', ')}"\n`,
      /no field that looks like a synopsis/,
    ],
    ['no texts', 'id,name\n1,Tide\n', /no field that looks like a synopsis/],
    [
      'one JSON list without texts',
      '[{"name": "Tide"}]',
      /no field that looks like a synopsis; .*; found "name"/,
    ],
  ])('%s is refused', async (_, content, problem) => {
    await expect(guessMapping(workshop.write('mine.csv', content))).rejects.toThrow(problem)
  })
})

describe('a list of titles without texts', () => {
  const rows = 'title,type,year\nDeath Note,TV,2006\nNo Such Work,TV,1950\n'

  test('is drafted where a person says what it holds, and texts and ids come by the titles', async () => {
    const file = workshop.write('titles.csv', rows)
    const { code, stdout } = await synoptic(['data', 'init', file, '--dataset', 'anime'])
    expect(code).toBe(0)
    expect(stdout).toContain('No field looks like a synopsis: texts come from the included works')
    const mapping = join(workshop.folder, 'titles.json')
    expect(JSON.parse(readFileSync(mapping, 'utf8'))).toMatchObject({ texts: {} })
    const words = ['data', 'import', mapping, '--data-dir', join(workshop.folder, 'data')]
    const imported = await synoptic(words)
    expect(imported.code, imported.stderr).toBe(0)
    const catalogue = openCatalogue(join(workshop.folder, 'data', 'catalogue.sqlite'))
    const entries = entriesOf(catalogue, 'anime')
    catalogue.close()
    const [known, unknown] = entries.toSorted((one) => (one.title === 'Death Note' ? -1 : 1))
    expect(known?.metadata).toMatchObject({ malId: 1535 })
    expect(known?.texts.some((text) => text?.includes('notebook'))).toBe(true)
    expect(unknown?.texts.every((text) => text === null)).toBe(true)
  })

  test.each(['import', 'init'])('is refused by data %s, which names the command', async (word) => {
    const file = workshop.write('titles.csv', rows)
    const words = word === 'import' ? ['--data-dir', join(workshop.folder, 'data')] : []
    const { code, stderr } = await synoptic(['data', word, file, ...words])
    expect(code).toBe(1)
    expect(stderr).toMatch(/`synoptic data init \S*titles\.csv --dataset anime` \(or manga\)/)
  })
})

test('a compressed JSON list is read', async () => {
  const list = [1, 2].map((id) => ({ id, name: `Tide ${id}`, episodes: 12, plot: `${plot} ${id}` }))
  const { mapping, entries } = await initAndImport('mine.json.gz', gzipSync(JSON.stringify(list)))
  expect(mapping).toMatchObject({ format: 'json', fields: { title: 'name' } })
  expect(entries.map(({ title }) => title)).toEqual(['Tide 1', 'Tide 2'])
})

describe('synoptic data init', () => {
  test('writes a mapping next to the file, prints its guesses, and keeps one that is there', async () => {
    const file = workshop.write('mine.csv', `id;name;plot;price\n1;Tide;${plot};3\n`)
    const written = await synoptic(['data', 'init', file])
    expect(written.stderr).toBe('')
    expect(written.code).toBe(0)
    expect(written.stdout).toContain('mine.csv: CSV with semicolons, utf-8, anime')
    expect(written.stdout).toContain('  title: "name", as in Tide')
    expect(written.stdout).toMatch(/Not read:\n {2}price {2}3\n/)
    expect(written.stdout).toMatch(/synoptic data import .*mine\.json/)
    const text = readFileSync(join(workshop.folder, 'mine.json'), 'utf8')
    const again = await synoptic(['data', 'init', file])
    expect(again.code).toBe(2)
    expect(again.stderr).toMatch(/mine\.json is there; --force replaces it/)
    expect(readFileSync(join(workshop.folder, 'mine.json'), 'utf8')).toBe(text)
    const other = join(workshop.folder, 'other.json')
    const manga = await synoptic(['data', 'init', file, '--into', other, '--dataset', 'manga'])
    expect(manga.code).toBe(0)
    expect(JSON.parse(readFileSync(other, 'utf8'))).toMatchObject({ dataset: 'manga' })
  })

  test('never replaces the data, whatever they are called', async () => {
    const line = `${JSON.stringify({ name: 'Tide', plot })}\n`
    const file = workshop.write('mine.json', line)
    expect(await synoptic(['data', 'init', '--force', file, '--into', file])).toMatchObject({
      code: 2,
    })
    const { code, stdout } = await synoptic(['data', 'init', '--force', file])
    expect(code).toBe(0)
    expect(stdout).toContain('mine.mapping.json')
    expect(readFileSync(file, 'utf8')).toBe(line)
  })

  test('into another folder names the data from there', async () => {
    const file = workshop.write('mine.csv', `name,plot\nTide,${plot}\n`)
    const into = join(workshop.folder, 'maps', 'mine.json')
    mkdirSync(dirname(into))
    expect(await synoptic(['data', 'init', file, '--into', into])).toMatchObject({ code: 0 })
    const { datasets } = await workshop.import(into)
    expect(datasets[0]?.rows).toBe(1)
  })

  test('of a file that is not there says so', async () => {
    const gone = join(workshop.folder, 'gone.csv')
    const { code, stderr } = await synoptic(['data', 'init', gone])
    expect(code).toBe(1)
    expect(stderr).toContain('cannot be read: there is no such file or folder (ENOENT)')
    expect(existsSync(mappingFileOf(gone))).toBe(false)
  })
})
