/** Large datasets are indexed by a thread of its own, small ones without: the files are the same. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CatalogueRow } from '#synoptic/data/catalogue/catalogue-row.js'
import { openCatalogue } from '#synoptic/data/catalogue/open-catalogue.js'
import { rowIndexFile } from '#synoptic/data/catalogue/row-indexes.js'
import { maskOf } from '#synoptic/base/util/row-mask.js'
import { expect, test } from 'vitest'
import { build, row, seeded, useFolder } from './shelf.js'

const folder = useFolder()
/** As many as no test writes. */
const many = 100_000
const random = seeded(5)
const pick = (words: string) => words.split(' ')[Math.floor(random() * words.split(' ').length)]
const names = 'Sakura Ōzora 進撃 Kenji Łukasz 😀 Natsu Vinland Straße Shinichi Joou'
const words = (count: number) => Array.from({ length: count }, () => pick(names)).join(' ')

const rows = Array.from({ length: 300 }, (_, id) =>
  row(id, {
    title: `${words(2)} ${id % 7}`,
    type: id % 3 === 0 ? 'tv' : 'movie',
    year: 1980 + (id % 40),
    score: id % 10,
    popularity: id % 5 === 0 ? null : random() * 4,
    genres: ['Drama', 'Action'].slice(id % 2),
    facts: {
      otherTitles: [words(3), `${words(1)} Season 2`],
      characters: [words(2), words(1)],
      tags: { war: 1 + (id % 3), 'time-travel': 2 },
      spoilerTags: id % 2 === 0 ? { betrayal: 1 } : {},
      franchise: `f${id % 50}`,
      relation: id < 50 ? 'main' : 'sequel',
      recommended: [`f${(id + 1) % 50}`],
    },
    metadata: { titleEnglish: words(2) },
    texts: [id % 4 === 0 ? null : words(30)],
  }),
)

function indexOf(name: string, expectedRows: number): Buffer {
  const file = join(folder, name)
  build(file, { name: 'anime', columns: ['synopsis'], expectedRows, rows })
  const catalogue = openCatalogue(file)
  const [info] = catalogue.datasets()
  const even = rows.map(({ id }) => id).filter((id) => id % 2 === 0)
  expect(catalogue.mask('anime', { tags: { any: ['betrayal'] } })).toEqual(maskOf(300, even))
  catalogue.close()
  return readFileSync(info === undefined ? '' : rowIndexFile(file, info))
}

test('an index from a thread has the bytes of one without', () => {
  const whole = indexOf('without', 0)
  expect(whole.length).toBeGreaterThan(10_000)
  expect(indexOf('thread', many).equals(whole)).toBe(true)
})

test('a row that cannot be read ends the build and the thread', () => {
  const file = join(folder, 'broken')
  function* broken(): Generator<CatalogueRow> {
    yield* rows
    throw new Error('unreadable')
  }
  const contents = { name: 'anime', columns: ['synopsis'], expectedRows: many, rows: broken() }
  expect(() => build(file, contents)).toThrow('unreadable')
  expect(readdirSync(folder).filter((name) => name.startsWith('broken'))).toEqual([])
})

test('what the thread cannot index ends the build with its error', () => {
  const bad = [row(0), row(1, { genres: [null as unknown as string] })]
  const contents = { name: 'anime', columns: ['synopsis'], expectedRows: many, rows: bad }
  expect(() => build(join(folder, 'bad'), contents)).toThrow(TypeError)
})
