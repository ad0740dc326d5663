import { join } from 'node:path'
import { openCatalogue } from '#synoptic/data/catalogue/open-catalogue.js'
import { columnItems } from '#synoptic/search/eval/column-items.js'
import { afterAll, describe, expect, test } from 'vitest'
import { build, row, useFolder } from '../catalogue/shelf.js'
import { columns, rows } from './lighthouse.js'

const file = join(useFolder(), 'catalogue.sqlite')
build(file, { name: 'anime', columns, rows }, { name: 'manga', columns, rows: rows.slice(0, 1) })
const catalogue = openCatalogue(file)
afterAll(() => catalogue.close())
const anime = { name: 'anime' as const, version: '', rows: rows.length, columns }

describe('the texts of a column as queries', () => {
  test('ask for their entries, unless there is nothing to find or nothing to ask', () => {
    const { name, items, leftOut, without } = columnItems(catalogue, anime, 1)
    expect(name).toBe('anime, queried by logline')
    expect(without).toEqual({ dataset: 'anime', column: 1 })
    expect(items.map(({ rows }) => rows)).toEqual([[0], [1], [2], [3]])
    expect(items[3]?.query).toBe('A castle of glass and nothing besides it. So be it.')
    expect(leftOut).toEqual([
      { reason: 'have a text in no other column', count: 1 },
      { reason: 'begin as in another column', count: 1 },
      { reason: 'have fewer than 20 characters', count: 1 },
    ])
  })

  test('ask nothing where no other column has a text', () => {
    const alone = join(useFolder(), 'catalogue.sqlite')
    build(alone, { name: 'anime', columns, rows: [row(1, { texts: [null, 'a text of its own'] })] })
    const opened = openCatalogue(alone)
    expect(columnItems(opened, { ...anime, rows: 1 }, 1).items).toEqual([])
    opened.close()
  })
})
