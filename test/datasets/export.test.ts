/** What `data export` writes, read back by other readers than its writers. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  asyncBufferFromFile,
  parquetMetadataAsync,
  parquetReadObjects,
  parquetSchema,
} from 'hyparquet'
import type { DatasetName } from '#synoptic/data/catalogue/catalogue.js'
import { readContents } from '#synoptic/data/catalogue/contents.js'
import { importDatasets } from '#synoptic/data/datasets/import.js'
import { beforeEach, describe, expect, test } from 'vitest'
import { synopticHere as synoptic } from '../helpers/run-here.js'
import { useWorkshop } from './workshop.js'

const sample = fileURLToPath(new URL('../../data/sample', import.meta.url))
const workshop = useWorkshop()
beforeEach(async () => {
  const from = (name: string) => join(sample, name)
  await importDatasets([from('anime.json'), from('manga.json')], { into: workshop.catalogue })
})

const run = (...words: string[]) =>
  synoptic(['data', 'export', '--data-dir', workshop.folder, ...words], { cwd: workshop.folder })

/** Everything that the catalogue has, as an export has to show it. */
function expected(dataset: DatasetName) {
  return workshop.read((catalogue) => {
    const { columns = [], rows = [] } = readContents(catalogue, dataset) ?? {}
    return Array.from(rows, ({ facts = {}, texts, ...own }) => {
      const { otherTitles, ...rest } = facts
      const named = columns.map((column, at) => [column, texts[at] ?? null])
      return {
        ...own,
        ...rest,
        alternativeTitles: otherTitles,
        texts: Object.fromEntries(named) as object,
      }
    })
  })
}

const withoutNulls = (row: object) =>
  Object.fromEntries(
    Object.entries(row).filter(([, value]) => value !== null && value !== undefined),
  )

describe.each(['anime', 'manga'] as const)('the export of %s', (dataset) => {
  test('as JSON lines has every entry whole', async () => {
    const { code, stdout, stderr } = await run('--dataset', dataset, 'out.jsonl')
    expect([code, stderr]).toEqual([0, ''])
    const text = readFileSync(join(workshop.folder, 'out.jsonl'), 'utf8')
    const rows = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as object)
    const entries = expected(dataset).map((entry) => withoutNulls({ ...entry, dataset }))
    expect(rows.map(withoutNulls)).toEqual(entries)
    expect(stdout).toBe(`${dataset}: ${rows.length} entries in out.jsonl\n`)
    expect(rows.length).toBeGreaterThan(5)
    expect(new Set(rows.map((row) => Object.keys(row).join()))).toHaveLength(1)
  })

  test('as Parquet has every entry whole, with types', async () => {
    expect((await run('--dataset', dataset, 'out.parquet')).code).toBe(0)
    const file = await asyncBufferFromFile(join(workshop.folder, 'out.parquet'))
    const rows = await parquetReadObjects({ file })
    const plain = rows.map((row) => withoutNulls({ ...row, id: Number(row.id) }))
    expect(plain).toEqual(expected(dataset).map(withoutNulls))
    const metadata = await parquetMetadataAsync(file)
    const types = parquetSchema(metadata).children.map(({ element }) => [
      element.name,
      element.type ?? element.converted_type,
    ])
    expect(Object.fromEntries(types)).toMatchObject({
      id: 'INT64',
      title: 'BYTE_ARRAY',
      year: 'INT32',
      score: 'DOUBLE',
      genres: 'LIST',
    })
    const about = Object.fromEntries(
      (metadata.key_value_metadata ?? []).map(({ key, value }) => [key, value]),
    )
    const version = workshop.read((catalogue) => catalogue.dataset(dataset)?.version)
    expect(about).toMatchObject({ dataset, version })
  })
})

test('an export of several row groups has all of them in order', async () => {
  const rows = Array.from({ length: 12_001 }, (_, id) => ({
    id: id + 1,
    title: `Work ${id} 🜂`,
    synopsis: id % 3 === 0 ? null : `Text ${id}`,
  }))
  workshop.write('many.jsonl', rows.map((row) => JSON.stringify(row)).join('\n'))
  const mapping = workshop.write('many.json', {
    dataset: 'anime',
    file: 'many.jsonl',
    format: 'jsonl',
    fields: { id: 'id', title: 'title' },
    metadata: {},
    texts: { synopsis: 'synopsis' },
  })
  await workshop.import(mapping)
  expect((await run('--dataset', 'anime', 'out.parquet')).code).toBe(0)
  const file = await asyncBufferFromFile(join(workshop.folder, 'out.parquet'))
  expect((await parquetMetadataAsync(file)).row_groups).toHaveLength(3)
  const read = await parquetReadObjects({ file })
  expect(
    read.map(({ id, title, texts }) => ({
      id: Number(id),
      title: String(title),
      ...(texts as object),
    })),
  ).toEqual(rows)
})

test('an export with the former name of a relation is read', async () => {
  const own = { id: 1, title: 'One', alternativeTitles: [], spoilerTags: {}, metadata: {} }
  const row = { ...own, dataset: 'anime', place: 'sequel', texts: { synopsis: 'A story.' } }
  await workshop.import(workshop.write('old.jsonl', JSON.stringify(row)))
  expect(workshop.entries('anime')[0]?.facts).toMatchObject({ relation: 'sequel' })
})

describe('data export', () => {
  test('takes a format in addition to the name of the file, and replaces an older file', async () => {
    writeFileSync(join(workshop.folder, 'out.txt'), 'old')
    expect((await run('--dataset', 'manga', '--format', 'jsonl', 'out.txt')).code).toBe(0)
    expect(readFileSync(join(workshop.folder, 'out.txt'), 'utf8')).toMatch(/^\{"id":/)
    expect(readdirSync(workshop.folder).filter((name) => name.endsWith('.tmp'))).toEqual([])
  })

  test.each([
    ['no file', ['--dataset', 'anime'], 'expected one file, received 0'],
    ['two files', ['--dataset', 'anime', 'a.jsonl', 'b.jsonl'], 'expected one file, received 2'],
    [
      'no dataset',
      ['a.jsonl'],
      '--dataset: expected anime, manga, or a name of at most 40 small letters, digits and hyphens that begins with a letter, received nothing',
    ],
    ['an unknown dataset', ['--dataset', 'Novels', 'a.jsonl'], 'received Novels'],
    [
      'an unknown format',
      ['--dataset', 'anime', '--format', 'csv', 'a.jsonl'],
      'expected jsonl or parquet, received csv',
    ],
    [
      'a name that says no format',
      ['--dataset', 'anime', 'a.csv'],
      '--format: expected jsonl or parquet',
    ],
  ])('refuses %s', async (_, words, message) => {
    const { code, stderr } = await run(...words)
    expect(code).toBe(2)
    expect(stderr).toContain(message)
  })

  test('fails where the folder is not there', async () => {
    expect((await run('--dataset', 'anime', 'missing/out.jsonl')).code).toBe(1)
    expect((await run('--dataset', 'anime', 'missing/out.parquet')).code).toBe(1)
  })
})
