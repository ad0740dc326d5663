/** Names that are spelt otherwise in the query than in the catalogue, and words that must not be taken for names. */
import { join } from 'node:path'
import type { Catalogue } from '#synoptic/data/catalogue/catalogue.js'
import { openCatalogue } from '#synoptic/data/catalogue/open-catalogue.js'
import { mergeSpellings } from '#synoptic/data/lexical/spellings.js'
import { spellingKey } from '#synoptic/base/text/spelling-key.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { build, row, useFolder } from '../catalogue/shelf.js'

const folder = useFolder()

function open(name: string, texts: readonly string[]): Catalogue {
  const path = join(folder, name)
  const rows = texts.map((text, id) => row(id, { texts: [text] }))
  build(path, { name: 'anime', columns: ['synopsis'], rows })
  const catalogue = openCatalogue(path)
  afterAll(() => catalogue.close())
  return catalogue
}

const rowsOf = async (catalogue: Catalogue, query: string) =>
  (await catalogue.lexical('anime', query, 1000)).map((hit) => hit.row)

/** Other stories, so that a name is rare; all of them are about a god who is good to the moon. */
const others = Array.from({ length: 400 }, (_, n) => `good w${n}q moon of a god`)

test.each([
  ['oozora', 'ohzora', 'ouzora', 'ozora'],
  ['ryuuji', 'ryuji', 'ryuzi'],
  ['shiina', 'siina', 'shina'],
  ['kenpou', 'kempo', 'kenpo'],
  ['natsume', 'natume'],
  ['chihaya', 'tihaya'],
])('%s is spelt %s, too', (...spellings) => {
  expect(new Set(spellings.map(spellingKey)).size).toBe(1)
})

test.each([
  ['kaoru', 'kouru'],
  ['yuki', 'yuka'],
  ['mamoru', 'manoru'],
  ['light', 'right'],
])('%s is not %s', (one, other) => {
  expect(spellingKey(one)).not.toBe(spellingKey(other))
})

describe('names that few rows have', () => {
  let catalogue: Catalogue
  beforeAll(() => {
    catalogue = open('names', [
      'Tsubasa Ōzora plays football.',
      'Oozora meets Ryuji.',
      'Kurou and Ryuuji fight.',
      ...others,
    ])
  })

  test.each([
    ['Ohzora', [0, 1]],
    ['OZORA', [0, 1]],
    ['Tubasa', [0]],
    ['Ryuuji', [1, 2]],
    ['ryuji', [1, 2]],
    ['Kuro', [2]],
    ['Kurouu', [2]],
    ['Kura', []],
  ])('%j is in the rows %j', async (query, expected) => {
    expect((await rowsOf(catalogue, query)).sort()).toEqual(expected)
  })

  test('count the same in whatever spelling, and once in several', async () => {
    const hits = await catalogue.lexical('anime', 'ryuji', 9)
    expect(await catalogue.lexical('anime', 'Ryuuji', 9)).toEqual(hits)
    expect(await catalogue.lexical('anime', 'Ryuuji ryuji RYUUZI', 9)).toEqual(hits)
    const rows = Uint32Array.from(hits, (hit) => hit.row)
    expect([...(await catalogue.lexicalScores('anime', 'ryuzi', rows))]).toEqual(
      hits.map(({ score }) => Math.fround(score)),
    )
  })

  test('words of many rows are not taken for one another', async () => {
    const mixed = open('mixed', [...others, 'a lonely god', 'a mon of the clan', 'a good deed'])
    expect(await rowsOf(mixed, 'good')).not.toContain(400)
    expect(await rowsOf(mixed, 'god')).not.toContain(402)
    expect(await rowsOf(mixed, 'moon')).not.toContain(401)
    expect(await rowsOf(mixed, 'mon')).toEqual([401])
  })
})

test('in a small catalogue words are only what they are', async () => {
  const catalogue = open('small', ['a good story', 'the story of a god', 'Oozora'])
  expect(await rowsOf(catalogue, 'good')).toEqual([0])
  expect(await rowsOf(catalogue, 'god')).toEqual([1])
  expect(await rowsOf(catalogue, 'ozora')).toEqual([])
})

test('words of several stems keep them, merged or not', () => {
  const words = {
    stems: ['common', 'kuro', 'kurou'],
    codes: Uint32Array.of(0, 1, 3),
    others: [[0, 2]],
  }
  const merged = mergeSpellings(words, Uint32Array.of(90, 1, 1), 1000)
  expect(merged).toEqual({
    stems: ['common', '~kuro'],
    codes: Uint32Array.of(0, 1, 2),
    others: [[0, 1]],
  })
})
