import { join } from 'node:path'
import { type Catalogue } from '#synoptic/data/catalogue/catalogue.js'
import { openCatalogue } from '#synoptic/data/catalogue/open-catalogue.js'
import { maskOf } from '#synoptic/base/util/row-mask.js'
import { withoutColumn } from '#synoptic/data/catalogue/without-column.js'
import { DatasetMissingError } from '#synoptic/base/errors/index.js'
import { afterAll, describe, expect, test } from 'vitest'
import { columns, rows } from '../eval/lighthouse.js'
import { build, useFolder } from './shelf.js'

const file = join(useFolder(), 'catalogue.sqlite')
build(file, { name: 'anime', columns, rows }, { name: 'manga', columns, rows: rows.slice(0, 1) })
const catalogue = openCatalogue(file)
const opened: Catalogue[] = [catalogue]
afterAll(() => {
  for (const one of opened) one.close()
})

function open(column: number): Catalogue {
  const rest = withoutColumn(openCatalogue(file), { dataset: 'anime', column })
  opened.push(rest)
  return rest
}

describe('a catalogue without a column', () => {
  const found = async (from: typeof catalogue, query: string) =>
    (await from.lexical('anime', query, 10)).map(({ row }) => row)

  test('finds nothing by the texts of that column, and the same rows by the others', async () => {
    const rest = open(1)
    expect(await found(catalogue, 'happens')).toEqual([2])
    expect(await found(rest, 'happens')).toEqual([])
    expect(await found(rest, 'castle')).toEqual([3])
    expect(await found(rest, 'copy')).toEqual([5])
    expect(rest.text('anime', 3, 1)).toBeNull()
    expect(rest.text('anime', 3, 0)).toBe(catalogue.text('anime', 3, 0))
    expect(rest.entry('anime', 3).title).toBe('Entry 4')
  })

  test('scores as if the column had never been', async () => {
    const apart = join(useFolder(), 'catalogue.sqlite')
    // An entry without another text has no word of its titles either.
    build(apart, {
      name: 'anime',
      columns: ['synopsis'],
      rows: rows.map((entry) => ({
        ...entry,
        texts: entry.texts.slice(0, 1),
        ...(entry.texts[0] === null && { title: '' }),
      })),
    })
    const expected = openCatalogue(apart)
    const rest = open(1)
    const scores = async (from: typeof catalogue) =>
      (await from.lexical('anime', 'whale keeper castle', 10)).map(({ score }) => score)
    expect(await scores(rest)).toEqual(await scores(expected))
    // Row 4 has a text in that column alone; row 0 is a whale's, row 3 a castle's.
    const wantedRows = Uint32Array.of(3, 4, 0)
    const [castle, alone, whale] = await rest.lexicalScores('anime', 'whale castle', wantedRows)
    const own = await expected.lexicalScores('anime', 'whale castle', wantedRows)
    expect([castle, alone, whale]).toEqual([...own])
    expect(alone).toBe(0)
    expected.close()
  })

  test('lets the rows of a mask pass', async () => {
    const rest = open(1)
    const mask = maskOf(rows.length, [1, 3, 4])
    const hits = await rest.lexical('anime', 'whale castle text', 10, mask)
    expect(hits.map(({ row }) => row).sort()).toEqual([1, 3])
  })

  test('of a dataset that is not there is refused', () => {
    const other = join(useFolder(), 'catalogue.sqlite')
    build(other, { name: 'manga', columns, rows })
    const whole = openCatalogue(other)
    expect(() => withoutColumn(whole, { dataset: 'anime', column: 1 })).toThrow(DatasetMissingError)
    whole.close()
  })

  test('leaves the other dataset as it is', async () => {
    const rest = open(1)
    expect(await rest.lexical('manga', 'friends', 10)).toEqual(
      await catalogue.lexical('manga', 'friends', 10),
    )
    expect(rest.text('manga', 0, 1)).toBe(catalogue.text('manga', 0, 1))
  })
})
