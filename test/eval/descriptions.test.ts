import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatasetName } from '#synoptic/data/catalogue/catalogue.js'
import { openCatalogue } from '#synoptic/data/catalogue/open-catalogue.js'
import { DatasetMissingError, DescriptionsError } from '#synoptic/base/errors/index.js'
import { readDescriptions } from '#synoptic/search/eval/descriptions.js'
import { afterAll, describe, expect, test } from 'vitest'
import { build, row } from '../catalogue/shelf.js'

const folder = mkdtempSync(join(tmpdir(), 'synoptic-eval-test-'))
const catalogueFile = join(folder, 'catalogue.sqlite')
build(catalogueFile, {
  name: 'anime',
  columns: ['synopsis'],
  rows: [
    row(7, { title: 'K-On!' }),
    row(8, { title: 'K ON' }),
    row(9, { title: 'Mushishi', facts: { otherTitles: ['Mushi-Shi'] } }),
  ],
})
const catalogue = openCatalogue(catalogueFile)
afterAll(() => {
  catalogue.close()
  rmSync(folder, { recursive: true })
})

function read(lines: readonly (object | string)[], only?: DatasetName) {
  const file = join(folder, 'queries.jsonl')
  const texts = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
  writeFileSync(file, texts.join('\n'))
  return readDescriptions(file, catalogue, only)
}

const common = { dataset: 'anime', description: 'tea and guitars' }

describe('descriptions', () => {
  test('find their entries by title, another title, and id', async () => {
    const { sets, missing } = await read([
      { ...common, title: 'k-on' },
      '',
      { ...common, titles: ['Nothing', 'MUSHI SHI'] },
      { ...common, id: 8, title: 'whatever' },
    ])
    expect(missing).toEqual([])
    expect(sets).toHaveLength(1)
    expect(sets[0]).toMatchObject({ name: 'queries.jsonl', leftOut: [] })
    expect(sets[0]?.items).toEqual([
      { dataset: 'anime', query: 'tea and guitars', rows: [0, 1] },
      { dataset: 'anime', query: 'tea and guitars', rows: [2] },
      { dataset: 'anime', query: 'tea and guitars', rows: [1] },
    ])
  })

  test('have figures by split', async () => {
    const { sets } = await read([
      { ...common, id: 7, split: 'report' },
      { ...common, id: 8, split: 'fit' },
      { ...common, id: 9, split: 'report' },
    ])
    expect(sets.map(({ name, items }) => [name, items.length])).toEqual([
      ['queries.jsonl, report', 2],
      ['queries.jsonl, fit', 1],
    ])
  })

  test('of entries that the catalogue does not have are counted and named', async () => {
    const { sets, missing } = await read([
      { ...common, title: 'Mushishi' },
      { ...common, title: 'Cowboy Bebop' },
      { ...common, id: 70 },
    ])
    expect(sets[0]?.items).toHaveLength(1)
    expect(sets[0]?.leftOut).toEqual([{ reason: 'ask for no entry of the catalogue', count: 2 }])
    expect(missing).toEqual([
      expect.stringMatching(/queries\.jsonl:2: anime has no entry called Cowboy Bebop$/),
      expect.stringMatching(/queries\.jsonl:3: anime has no entry with the id 70$/),
    ])
  })

  test('without a dataset search the named one, others do not', async () => {
    const { sets, missing } = await read(
      [
        { description: 'x', id: 7 },
        { dataset: 'manga', description: 'x', id: 7 },
      ],
      'anime',
    )
    expect(sets.map(({ items }) => items.length)).toEqual([1])
    expect(missing).toEqual([])
  })

  test.each<[string, readonly (object | string)[], RegExp]>([
    [
      'broken JSON',
      [{ ...common, id: 7 }, '{"description"'],
      /queries\.jsonl:2: expected a JSON object/,
    ],
    ['a list', [[]], /queries\.jsonl:1: description/],
    ['no description', [{ dataset: 'anime', id: 7 }], /queries\.jsonl:1: .*description/],
    [
      'a blank description',
      [{ ...common, description: ' ', id: 7 }],
      /queries\.jsonl:1: description/,
    ],
    ['no title and no id', [common], /queries\.jsonl:1: expected an id or a title/],
    ['an id that is none', [{ ...common, id: '7' }], /queries\.jsonl:1: id/],
    ['another dataset', [{ ...common, dataset: 'Films', id: 7 }], /queries\.jsonl:1: dataset/],
    ['no dataset', [{ description: 'x', id: 7 }], /:1: expected a dataset, .* or as --dataset/],
  ])('are refused with their line: %s', async (_, lines, problem) => {
    const refused = read(lines)
    await expect(refused).rejects.toThrow(DescriptionsError)
    await expect(refused).rejects.toThrow(problem)
  })

  test('of a dataset that is not there, and of a file that is not, are refused', async () => {
    await expect(read([{ ...common, dataset: 'manga', id: 7 }])).rejects.toThrow(
      DatasetMissingError,
    )
    const nowhere = readDescriptions(join(folder, 'nowhere.jsonl'), catalogue, undefined)
    await expect(nowhere).rejects.toThrow(
      /nowhere\.jsonl: cannot be read: there is no such file or folder \(ENOENT\)/,
    )
  })
})
