/** Candidates, against lists that are sorted whole and fused by hand. */
import { maskOf, passes, type RowMask } from '#synoptic/base/util/row-mask.js'
import { DimensionMismatchError, EmbeddingsMissingError } from '#synoptic/base/errors/index.js'
import { createFirstStage } from '#synoptic/search/ranking/first-stage.js'
import { beforeAll, describe, expect, test } from 'vitest'
import { inventWorks } from '../search/array-catalogue.js'
import { type Library, openLibrary } from '../search/library.js'
import { createWorld, only } from '../search/world.js'
import { WordEncoder } from '../search/word-encoder.js'

const columns = ['synopsis', 'Synopsis second Dataset']
const invented = inventWorks(240, columns.length, 9)
const named = 18
const works = invented.map((work, row) => {
  // Twins, which differ only in their rows.
  if (row % 20 === 7) return { ...work, texts: invented[7]?.texts ?? [], title: 'Twin' }
  return row === named ? { ...work, title: 'Xylophagous' } : work
})
const rowCount = works.length
let library: Library
beforeAll(async () => {
  library = await openLibrary([{ name: 'anime', columns, rows: works }])
})

const pick = async (query: string, count: number, mask?: RowMask, signal?: AbortSignal) => {
  const { search, dataset } = library
  const request = { dataset: dataset('anime'), query, count, mask, signal }
  return [...(await search.firstStage.candidates(request))]
}

/** Both lists whole, of the rows that pass; a row counts by its places in them. */
async function oracle(query: string, mask: RowMask | undefined, depth: number): Promise<number[]> {
  const may = (row: number) => mask === undefined || passes(mask, row)
  const rows = Uint32Array.from(works.keys())
  const { search, dataset } = library
  const { cosine } = await search.computeFeatures({ dataset: dataset('anime'), query, rows })
  const hasText = (row: number) => works[row]?.texts.some((text) => text !== null) === true
  const similar = [...rows]
    .filter((row) => hasText(row) && may(row))
    .sort((a, b) => (cosine[b] ?? 0) - (cosine[a] ?? 0) || a - b)
  const hits = await search.catalogue.lexical('anime', query, rowCount)
  const worded = hits.map(({ row }) => row).filter(may)
  const part = (list: readonly number[], row: number) => {
    const place = list.slice(0, depth).indexOf(row)
    return place < 0 ? 0 : 1 / (61 + place)
  }
  const sum = (row: number) => part(similar, row) + part(worded, row)
  return [...rows].filter((row) => sum(row) > 0).sort((a, b) => sum(b) - sum(a) || a - b)
}

const query = 'a robot goes to school in the rain'
const third = maskOf(
  rowCount,
  [...works.keys()].filter((row) => row % 3 === 0),
)

describe('candidates are the first of both lists fused', () => {
  test.each([1, 2, 5, 30, 100, 240, 5000])('%i of them', async (count) => {
    const expected = await oracle(query, undefined, 2 * count + 60)
    expect(await pick(query, count)).toEqual(expected.slice(0, count))
  })

  test.each(['Twin', works[7]?.texts[0] ?? '', 'ghost ghost island', 'zzzz qqqq'])(
    'for %j',
    async (words) => {
      const expected = await oracle(words, undefined, 100)
      expect(await pick(words, 20)).toEqual(expected.slice(0, 20))
    },
  )

  test('and rows that do not pass take no place', async () => {
    for (const count of [1, 10, 60, 5000]) {
      const expected = await oracle(query, third, 2 * count + 60)
      expect(await pick(query, count, third)).toEqual(expected.slice(0, count))
    }
    expect(await pick(query, 10, maskOf(rowCount, []))).toEqual([])
  })

  test('twins are in the order of their rows', async () => {
    const twins = [...works.keys()].filter((row) => row % 20 === 7)
    const found = await pick(works[7]?.texts[0] ?? '', twins.length)
    expect(found.filter((row) => twins.includes(row))).toEqual(twins.slice(0, found.length))
  })
})

test('similarity finds what shares no word, words what is not similar', async () => {
  expect(await pick('xylophagous', 2)).toContain(named)
  const { search } = library
  const foreign = 'locomotives'
  expect(await search.catalogue.lexical('anime', foreign, 5)).toEqual([])
  const [first = NaN] = await pick(foreign, 1)
  expect(works[first]?.texts.join(' ')).toContain('train')
})

test('nothing is found by what is no word', async () => {
  expect(await pick('\u200b', 10)).toEqual([])
})

describe('refused is', () => {
  test('an asker that has left', async () => {
    const signal = AbortSignal.abort(new Error('left'))
    await expect(pick(query, 5, undefined, signal)).rejects.toThrow('left')
  })

  test('a dataset without embeddings', async () => {
    const { search, dataset } = await openLibrary([{ name: 'anime', columns, rows: works }], {
      isEmbedded: false,
    })
    const request = { dataset: dataset('anime'), query, count: 5, mask: undefined }
    await expect(search.firstStage.candidates(request)).rejects.toThrow(EmbeddingsMissingError)
  })

  test('a model of another dimension', async () => {
    const { catalogue, collections } = createWorld()
    const narrow = new WordEncoder('test/words')
    Object.assign(narrow, { dimension: 32 })
    const models = only(narrow)
    const stage = createFirstStage({ catalogue, collections, models, encoder: 'test/words' })
    const dataset = catalogue.dataset('anime')
    if (dataset === undefined) throw new Error('no anime')
    const request = { dataset, query, count: 5, mask: undefined }
    await expect(stage.candidates(request)).rejects.toThrow(DimensionMismatchError)
  })
})
