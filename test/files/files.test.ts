/** Every kind of file that people bring is imported without a mapping, searched, exported and imported again. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { openCatalogue } from '#synoptic/data/catalogue/open-catalogue.js'
import { exportDataset } from '#synoptic/data/datasets/export/export-dataset.js'
import { importDatasets } from '#synoptic/data/datasets/import.js'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { entriesOf } from '../datasets/workshop.js'
import { makeFiles, type MadeFile } from './make-files.js'

const folder = mkdtempSync(join(tmpdir(), 'synoptic-files-'))
const names = [
  'works.csv',
  'works.tsv',
  'works.csv.gz',
  'works.csv.zst',
  'works.jsonl',
  'works.json',
  'works.xlsx',
  'works.ods',
  'works.parquet',
  'works.sqlite',
  'german.csv',
  'french.csv',
  'spanish.csv',
  'portuguese.csv',
  'italian.csv',
  'japanese.csv',
  'anilist-page.json',
  'anilist-media.json',
  'anilist-list.json',
  'myanimelist-api.json',
  'jikan.json',
  'kitsu.json',
  'mangaupdates.json',
]
let made: readonly MadeFile[] = []
beforeAll(async () => {
  made = await makeFiles(folder)
})

async function entriesIn(file: string, into: string, dataset: 'anime' | 'manga') {
  const summary = await importDatasets([file], { into })
  expect(summary.datasets.map(({ name }) => name)).toEqual([dataset])
  const catalogue = openCatalogue(into)
  try {
    const [hit] = await catalogue.lexical(dataset, 'lighthouse letter', 3)
    const entries = entriesOf(catalogue, dataset)
    return {
      entries,
      tide: entries.find(({ title }) => title.startsWith('Tide')),
      hit: entries[hit?.row ?? -1],
    }
  } finally {
    catalogue.close()
  }
}

test('the list of files is complete', () => {
  expect(made.map(({ name }) => name)).toEqual(names)
})

describe.each(names)('%s', (name) => {
  const fileOf = () => {
    const file = made.find((one) => one.name === name)
    if (file === undefined) throw new Error(`${name} was not made`)
    return file
  }

  test('is imported and found by its text', async () => {
    const { dataset, first } = fileOf()
    const { tide, hit } = await entriesIn(join(folder, name), join(folder, `${name}.db`), dataset)
    const { metadata, text, ...members } = first
    expect(tide).toMatchObject(members)
    expect(tide?.metadata).toMatchObject(metadata ?? {})
    if (text === undefined) expect(tide?.texts[0]).toMatch(/lighthouse keeper finds a bottle/)
    else expect(tide?.texts[0]).toBe(text)
    expect(hit).toEqual(tide)
  })

  test.each(['jsonl', 'parquet'] as const)('is the same after its export as %s', async (format) => {
    const { dataset } = fileOf()
    const into = join(folder, `${name}.db`)
    const { entries } = await entriesIn(join(folder, name), into, dataset)
    const out = join(folder, `${name}.out.${format}`)
    const catalogue = openCatalogue(into)
    await exportDataset(catalogue, { dataset, format, file: out })
    catalogue.close()
    const again = await entriesIn(out, join(folder, `${name}.again.db`), dataset)
    expect(again.entries).toEqual(entries)
  })
})

describe('what no import reads', () => {
  test.each([
    [
      'page.html',
      '<!doctype html><html></html>',
      /is a web page \(HTML\); expected CSV, TSV, JSON/,
    ],
    ['notes.pdf', '%PDF-1.7\n', /is a PDF document; expected CSV/],
    [
      'cover.png',
      Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex'),
      /is a file of type image\/png; expected CSV/,
    ],
    [
      'old.xls',
      Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(512)]),
      /is an old Office file, such as \.xls; .*; save it as \.xlsx/,
    ],
    ['empty.csv', '', /empty\.csv: is empty$/],
    ['blank.json', ' \n\n', /is empty$/],
    ['cut.json', '[{"title": "Ti', /has no whole list of objects; expected JSON such as/],
    ['nothing.json', '[]', /has no whole list of objects; expected JSON such as/],
  ])('%s is refused by what it is', async (name, content, problem) => {
    const file = join(folder, name)
    writeFileSync(file, content)
    await expect(importDatasets([file], { into: join(folder, 'x.db') })).rejects.toThrow(problem)
  })

  test('a table that could be either is refused with the command that decides', async () => {
    const file = join(folder, 'either.csv')
    writeFileSync(file, `name,plot\nTide,${'A story of the sea. '.repeat(5)}\n`)
    await expect(importDatasets([file], { into: join(folder, 'x.db') })).rejects.toThrow(
      /does not say whether it holds anime or manga; `synoptic data init \S+ --dataset manga`/,
    )
  })

  test('a file that is not there is not taken for a mapping', async () => {
    const file = join(folder, 'nowhere.csv')
    await expect(importDatasets([file], { into: join(folder, 'x.db') })).rejects.toThrow(
      /nowhere\.csv: cannot be read: there is no such file or folder \(ENOENT\)/,
    )
  })

  test('a damaged Parquet file is named so', async () => {
    const file = join(folder, 'cut.parquet')
    writeFileSync(file, readFileSync(join(folder, 'works.parquet')).subarray(0, 200))
    await expect(importDatasets([file], { into: join(folder, 'x.db') })).rejects.toThrow(
      /is a damaged Parquet file/,
    )
  })
})
