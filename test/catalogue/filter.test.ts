/** Filters as SQLite reads them, compared with the same filters read by the letter. */
import { join } from 'node:path'
import type { EntryFilter } from '#synoptic/data/catalogue/filter.js'
import { typeName } from '#synoptic/data/catalogue/filter.js'
import { openCatalogue } from '#synoptic/data/catalogue/open-catalogue.js'
import { rowsOf } from '#synoptic/base/util/row-mask.js'
import { afterAll, describe, expect, test } from 'vitest'
import { fits, inventWorks } from '../search/array-catalogue.js'
import { build, row, seeded, useFolder } from './shelf.js'

const folder = useFolder()
const file = join(folder, 'catalogue.sqlite')
const odd = [
  row(9001, { type: 'tv', genres: ["Children's", 'Hentai'], year: 2000, score: 9 }),
  row(9002, { metadata: { isAdult: true } }),
  row(9003, { genres: ['action', 'Action'], score: 0.5 }),
  row(9004),
  row(9005, { facts: { tags: { 'time-loop': 3, cats: 1 }, adult: true } }),
  row(9007, { facts: { studios: ['Studio été', 'Bones'], audience: 'Seinen' }, year: 1999 }),
  row(9008, { facts: { studios: ['BONES'], audience: 'josei' } }),
  row(9009, { facts: { studios: ['Bones', 'bones'], audience: 'kids' } }),
  row(9006, { facts: { tags: { cats: 2 }, spoilerTags: { 'time-loop': 2 } } }),
]
const works = [...inventWorks(300, 1, 31), ...odd]
build(
  file,
  { name: 'anime', columns: ['synopsis'], rows: works },
  { name: 'manga', columns: ['synopsis'], rows: inventWorks(20, 1, 32) },
)
const catalogue = openCatalogue(file)
afterAll(() => catalogue.close())

const found = (filter: EntryFilter) => {
  const mask = catalogue.mask('anime', filter)
  return mask === undefined ? [...works.keys()] : [...rowsOf(mask)]
}
const expected = (filter: EntryFilter) =>
  works.flatMap((work, position) => (fits(work, filter) ? [position] : []))

describe('a filter', () => {
  test.each<EntryFilter>([
    {},
    { types: ['tv'] },
    { types: ['tv', 'movie'] },
    { types: ['opera'] },
    { types: [] },
    { withoutTypes: ['light_novel'] },
    { genres: { any: ['action', 'DRAMA'] } },
    { genres: { any: [] } },
    { genres: { all: ['Action', 'school'] } },
    { genres: { none: ['Space', 'Drama'] } },
    { genres: { any: ['Action'], all: ['School'], none: ['Drama'] } },
    { genres: { any: ["children's"] } },
    { genres: { any: ["x') OR 1=1 --", '%', '_', ''] } },
    { genres: { none: ['nothing'] } },
    { tags: { any: ['time-loop', 'nothing'] } },
    { tags: { all: ['time-loop', 'cats'] } },
    { tags: { none: ['cats'] } },
    { tags: { any: [] } },
    { tags: { any: ['cats'] }, genres: { any: ['Action'] } },
    { studios: ['studio ÉTÉ', 'nobody'] },
    { studios: ['Bones'], audiences: ['seinen'] },
    { audiences: ['seinen', 'kids'], yearFrom: 1900 },
    { studios: [] },
    { audiences: ['Seinen'] },
    { yearFrom: 1990 },
    { yearTo: 1990 },
    { yearFrom: 1990, yearTo: 1990 },
    { yearFrom: 3000 },
    { minScore: 0 },
    { minScore: 7 },
    { minScore: 9 },
    { adult: true },
    { adult: false },
    { types: ['tv'], withoutTypes: ['tv'] },
    { types: ['tv'], genres: { any: ['School'] }, yearFrom: 1985, minScore: 6, adult: false },
  ])('%j', (filter) => {
    expect(found(filter)).toEqual(expected(filter))
  })

  test('of any members', () => {
    const random = seeded(6)
    const maybe = <T>(value: T) => (random() < 0.4 ? value : undefined)
    for (let round = 0; round < 200; round += 1) {
      const said = {
        types: maybe(random() < 0.5 ? ['tv'] : ['movie', 'light_novel']),
        genres: maybe({ any: random() < 0.5 ? ['Action'] : ['Space', 'Drama'] }),
        yearFrom: maybe(1980 + Math.floor(random() * 40)),
        yearTo: maybe(1980 + Math.floor(random() * 40)),
        minScore: maybe(Math.floor(random() * 10)),
        adult: maybe(random() < 0.5),
      }
      const known = Object.entries(said).filter(([, value]) => value !== undefined)
      const filter = Object.fromEntries(known) as EntryFilter
      expect(found(filter)).toEqual(expected(filter))
    }
  })

  test('is of one dataset', () => {
    expect(catalogue.mask('manga', { types: ['tv'] })).toHaveLength(3)
  })

  test('has the same mask while it is requested, and is forgotten after many others', () => {
    const first = catalogue.mask('anime', { yearFrom: 1991 })
    for (let year = 2000; year < 2060; year += 1) catalogue.mask('anime', { yearFrom: year })
    expect(catalogue.mask('anime', { yearFrom: 1991 })).toBe(first)
    for (let year = 2000; year < 2070; year += 1) catalogue.mask('anime', { yearTo: year })
    const again = catalogue.mask('anime', { yearFrom: 1991 })
    expect(again).not.toBe(first)
    expect(again).toEqual(first)
  })
})

test.each([
  ['TV', 'tv'],
  ['Light Novel', 'light_novel'],
  ['one-shot', 'one_shot'],
  ['light_novel', 'light_novel'],
  ['!', null],
])('the type %j is %j', (text, name) => expect(typeName(text)).toBe(name))

test('the row of an id', () => {
  expect(catalogue.rowOfId('anime', 9003)).toBe(302)
  expect(catalogue.rowOfId('anime', 1)).toBeUndefined()
  expect(catalogue.rowOfId('manga', 9003)).toBeUndefined()
})
