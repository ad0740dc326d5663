/** More like an entry: by its stored vectors, itself left out. */
import { describe, expect, it } from 'vitest'
import { DatasetMissingError, NotFoundError } from '#synoptic/base/errors/index.js'
import type { NeighbourQuery } from '#synoptic/search/service/neighbours.js'
import { cosine } from './array-index.js'
import { wordVector } from './word-encoder.js'
import { createWorld, model } from './world.js'

/** Of its works nothing is known but their texts. */
const world = createWorld(undefined, undefined, true)
const { anime } = world.content
const ask = (changes: Partial<NeighbourQuery> = {}) =>
  world.search.neighbours({
    dataset: 'anime',
    id: anime.works[3]?.id ?? 0,
    model,
    page: 1,
    resultsPerPage: 100,
    ...changes,
  })
const read = ({ row, column }: { row: number; column: number }) => ({
  id: world.catalogue.entry('anime', row).id,
  column: anime.columns[column],
})
const vectorsOf = (texts: readonly (string | null)[]) =>
  texts.flatMap((text) => (text ? [wordVector(text)] : []))

describe('neighbours', () => {
  it('are all others, by the nearest pair of texts, of equals the earlier', async () => {
    for (const work of anime.works.slice(0, 12)) {
      const own = vectorsOf(work.texts)
      const expected = anime.works
        .map((other, row) => {
          const pairs = vectorsOf(other.texts).flatMap((vector) =>
            own.map((one) => Math.fround(cosine(one, vector))),
          )
          return { id: other.id, row, score: Math.max(...pairs) }
        })
        .filter(({ id, score }) => id !== work.id && score > -Infinity)
        .sort((one, other) => other.score - one.score || one.row - other.row)
      const { results, pagination, meta } = await ask({ id: work.id })
      expect(results.map(read).map(({ id }) => id)).toEqual(
        own.length === 0 ? [] : expected.map(({ id }) => id),
      )
      expect(pagination.totalResults).toBe(results.length)
      expect(meta).toEqual({ model, dataset: 'anime', id: work.id })
    }
  })

  it('are cut into pages that lose nothing', async () => {
    const whole = (await ask()).results.map(read).map(({ id }) => id)
    const paged: number[] = []
    for (let page = 1; page <= 12; page += 1) {
      const { results } = await ask({ page, resultsPerPage: 5 })
      expect(results[0]?.rank).toBe(results.length > 0 ? (page - 1) * 5 + 1 : undefined)
      paged.push(...results.map(read).map(({ id }) => id))
    }
    expect(paged).toEqual(whole)
  })

  it('are none of an entry without a text, and nothing is searched', async () => {
    const { search, indexes, content } = createWorld(undefined, undefined, true)
    const id = content.anime.works[10]?.id ?? 0
    const { results, pagination } = await search.neighbours({
      dataset: 'anime',
      id,
      model,
      page: 1,
      resultsPerPage: 5,
    })
    expect(results).toEqual([])
    expect(pagination).toMatchObject({ totalResults: 0, totalPages: 0 })
    expect(indexes[0]?.searches).toBe(0)
  })

  it('encode nothing', async () => {
    const { search, encoder } = createWorld()
    encoder.encode = () => Promise.reject(new Error('not to be used'))
    const { results } = await search.neighbours({
      dataset: 'manga',
      id: 1000,
      model,
      page: 1,
      resultsPerPage: 5,
    })
    expect(results).toHaveLength(5)
  })

  it.each([0, 1001, 2 ** 50])('are refused for the id %d, which nobody has', async (id) => {
    await expect(ask({ id })).rejects.toBeInstanceOf(NotFoundError)
  })

  it('are refused for a dataset that is not there', async () => {
    const dataset = 'novels' as 'anime'
    await expect(ask({ dataset })).rejects.toBeInstanceOf(DatasetMissingError)
  })
})
