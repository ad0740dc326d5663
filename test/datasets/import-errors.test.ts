/** What cannot be imported as a whole is one clear error, and the old catalogue stays. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { Database } from '#synoptic/base/util/sqlite.js'
import { openCatalogue } from '#synoptic/data/catalogue/open-catalogue.js'
import { importDatasets } from '#synoptic/data/datasets/import.js'
import { DataImportError } from '#synoptic/base/errors/index.js'
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
const csv = { file: 'bad.csv', format: 'csv' }
const withIds = { fields: { id: 'id', title: 'title' } }

/** Imports a good catalogue first; whatever fails then must leave it byte for byte. */
async function failure(...mappings: readonly string[]): Promise<DataImportError> {
  await workshop.import(join(fixtures, 'drawer.json'))
  const before = readFileSync(workshop.catalogue)
  const error = await workshop.import(...mappings).catch((caught: unknown) => caught)
  expect(error).toBeInstanceOf(DataImportError)
  expect(readFileSync(workshop.catalogue).equals(before)).toBe(true)
  expect(catalogueFiles(workshop.folder)).toEqual(filesOfOne('manga'))
  return error as DataImportError
}

test('a packed file that unpacks to far more than texts do is refused', async () => {
  const packed = gzipSync(Buffer.alloc(150 * 2 ** 20, '\n'))
  workshop.write('bomb.jsonl', packed)
  const mapping = workshop.write('bomb.json', jsonlMapping('bomb'))
  expect((await failure(mapping)).message).toMatch(/gzip of more than \d+ bytes; unpack it/)
})

describe('a source file is refused', () => {
  test.each([
    [
      'without a column that the mapping names',
      'id,name,text\n1,One,A\n',
      /no "title".*found "id"/,
    ],
    ['that is empty', '', /expected a header line; the file is empty/],
    ['with a header alone', 'id,title,text\n', /expected valid rows, found none/],
    [
      'whose every row is bad',
      'id,title,text\nx,One,A\n2,,B\n',
      /found 2: 1 no usable id \(line 2\)/,
    ],
    ['with a column twice', 'id,title,title,text\n1,One,Two,A\n', /"title" more than once/],
    [
      'with a quote that is never closed',
      'id,title,text\n1,One,"A\n2,Two,B\n',
      /not CSV from line 2/,
    ],
    [
      'that is cut in the middle of a quoted field',
      'id,title,text\n1,One,A\n2,Two,"B and th',
      /not CSV from line 3/,
    ],
    [
      'with a field of 10 MB',
      `id,title,text\n1,One,A\n2,Two,${'b'.repeat(10 * 1024 * 1024)}\n`,
      /not CSV from line 3 on: .*4194304/,
    ],
    [
      'in another encoding',
      Buffer.from('id,title,text\n1,Café,A\n', 'latin1'),
      /expected utf-8.*line 1.*"encoding"/,
    ],
    ['in UTF-16', Buffer.from('\ufeffid,title,text\n1,One,A\n', 'utf16le'), /expected utf-8/],
    ['that is binary', Buffer.from([0x69, 0x64, 0, 0, 1, 2]), /zero byte/],
    ['that is JSON', '[{"id": 1}]', /the header has no/],
  ])('%s', async (_, content, message) => {
    workshop.write('bad.csv', content)
    const error = await failure(workshop.write('bad.json', jsonlMapping('bad', csv)))
    expect(error.message).toMatch(message)
    expect(error.file).toBe(join(workshop.folder, 'bad.csv'))
  })

  test.each([
    ['that is CSV', 'id,title,text\n1,One,A\n', /found 2: 2 broken JSON \(lines 1, 2\)/],
    [
      'in which no row has a key of the mapping',
      '{"id": 1, "title": "One"}\n',
      /no row has "text"/,
    ],
    ['that is one endless line', '['.repeat(5 * 1024 * 1024), /line over 4194304 characters/],
  ])('as JSON lines %s', async (_, content, message) => {
    workshop.write('bad.jsonl', content)
    const error = await failure(workshop.write('bad.json', jsonlMapping('bad')))
    expect(error.message).toMatch(message)
  })

  test('that is not there, with the option that says where it is', async () => {
    const error = await failure(workshop.write('bad.json', jsonlMapping('bad')))
    expect(error.message).toMatch(
      /cannot be read: there is no such file or folder \(ENOENT\).*--from/,
    )
  })

  test('that is a folder', async () => {
    const mapping = workshop.write('bad.json', jsonlMapping('bad', { file: '.' }))
    expect((await failure(mapping)).message).toMatch(/expected a regular file, found a folder/)
  })
})

describe('sources that are no dataset together are refused', () => {
  const one = () => {
    workshop.write('one.jsonl', lines({ id: 1, title: 'One', text: 'A' }))
    return workshop.write('one.json', jsonlMapping('one'))
  }
  const two = (changes: object) => {
    workshop.write('two.jsonl', lines({ id: 1, title: 'One', text: 'B' }))
    return workshop.write('two.json', jsonlMapping('two', changes))
  }

  test('two bases', async () => {
    expect((await failure(one(), two({}))).message).toMatch(/second base.*"join": "id" or "title"/)
  })
  test('a join without its base', async () => {
    expect((await failure(two({ join: 'id' }))).message).toMatch(/base is missing.*same command/)
  })
  test('one column from two sources', async () => {
    const changes = { join: 'id', texts: { 'synopsis ONE': 'text' } }
    expect((await failure(one(), two(changes))).message).toMatch(/"synopsis ONE" is there already/)
  })
  test('columns whose files would be the same', async () => {
    const changes = { join: 'id', texts: { Synopsis_one: 'text' } }
    expect((await failure(one(), two(changes))).message).toMatch(/"Synopsis_one".*"Synopsis one"/)
  })
  test('ids joined onto a base without any', async () => {
    one()
    const base = workshop.write('one.json', jsonlMapping('one', { fields: { title: 'title' } }))
    const error = await failure(base, two({ ...withIds, join: 'id' }))
    expect(error.message).toMatch(/joins by id, but .*one\.jsonl has no fields\.id/)
  })
})

describe('the place of the catalogue', () => {
  test('that cannot be written is an error', async () => {
    const file = workshop.write('file', 'no folder')
    const into = join(file, 'folder', 'catalogue.sqlite')
    const options = { into, from: fixtures }
    await expect(importDatasets([join(fixtures, 'shelf.json')], options)).rejects.toThrow(
      /catalogue\.sqlite: cannot be written: .*\((ENOTDIR|EEXIST)\)/,
    )
  })

  test('is built by one import at a time', async () => {
    const mapping = join(fixtures, 'shelf.json')
    const results = await Promise.allSettled([workshop.import(mapping), workshop.import(mapping)])
    const reasons = results.flatMap((result) =>
      result.status === 'rejected' ? [String(result.reason)] : [],
    )
    expect(reasons).toEqual([expect.stringMatching(/another import is building this catalogue/)])
    expect(workshop.entries('anime')).toHaveLength(4)
    await workshop.import(mapping)
  })

  test('may hold a damaged catalogue: it is replaced, and the loss is reported', async () => {
    await workshop.import(join(fixtures, 'shelf.json'), join(fixtures, 'drawer.json'))
    writeFileSync(workshop.catalogue, 'no database at all, but long enough for a header'.repeat(9))
    expect(() => openCatalogue(workshop.catalogue)).toThrow(/synoptic data import/)
    const summary = await workshop.import(join(fixtures, 'drawer.json'))
    expect(summary.lossReason).toMatch(/damaged \(SQLITE_NOTADB\)/)
    expect(workshop.read((catalogue) => catalogue.datasets())).toHaveLength(1)
  })

  test('may hold one that is damaged in its last row: nothing of it is kept, and that is reported', async () => {
    await workshop.import(join(fixtures, 'shelf.json'), join(fixtures, 'drawer.json'))
    const database = new Database(workshop.catalogue)
    database.exec(`UPDATE entries SET metadata = '{' WHERE dataset = 1 AND row = 2`)
    database.close()
    const summary = await workshop.import(join(fixtures, 'shelf.json'))
    expect(summary.lossReason).toMatch(/damaged \(others between byte 0 and/)
    expect(summary.retained).toEqual([])
    expect(workshop.read((catalogue) => catalogue.datasets())).toMatchObject([{ name: 'anime' }])
  })
})
