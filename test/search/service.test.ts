import { describe, expect, it } from 'vitest'
import type { Catalogue } from '#synoptic/data/catalogue/catalogue.js'
import {
  DatasetMissingError,
  DimensionMismatchError,
  ValidationError,
} from '#synoptic/base/errors/index.js'
import { createKnowledge } from '#synoptic/search/knowledge/dataset-knowledge.js'
import { createEntryJson } from '#synoptic/server/http/entry-json.js'
import { hydrate, searchJson } from '#synoptic/server/http/search-json.js'
import type { SearchJson } from '#synoptic/server/schemas/search-body.js'
import {
  createSearchService,
  type DescriptionQuery,
  type SearchService,
} from '#synoptic/search/service/service.js'
import { ArrayCatalogue } from './array-catalogue.js'
import { cosine } from './array-index.js'
import { deferred } from './deferred.js'
import { createWorld, model, only } from './world.js'
import { WordEncoder, wordVector } from './word-encoder.js'

const ask = (query: Partial<DescriptionQuery> = {}): DescriptionQuery => ({
  dataset: 'anime',
  model,
  description: 'a robot goes to school in the rain',
  page: 1,
  resultsPerPage: 10,
  ...query,
})

/** What a client receives. */
async function responseOf(
  { search, catalogue }: { readonly search: SearchService; readonly catalogue: Catalogue },
  query = ask(),
): Promise<SearchJson> {
  const found = await search.similar(query)
  const { members } = hydrate(createEntryJson(catalogue), found)
  const bytes = searchJson(found.results, members, found.pagination, found.meta)
  return JSON.parse(new TextDecoder().decode(bytes)) as SearchJson
}

describe('similar', () => {
  it('answers entries by the cosine of their best synopsis', async () => {
    const world = createWorld()
    const { content } = world
    const { results } = await responseOf(world)
    const query = wordVector(ask().description)
    expect(results).toHaveLength(10)
    for (const [position, result] of results.entries()) {
      const work = content.anime.works.find(({ id }) => id === result.id)
      const cosines = (work?.texts ?? []).map((text) =>
        text ? cosine(query, wordVector(text)) : -1,
      )
      const column = content.anime.columns.indexOf(result.column)
      expect(result.rank).toBe(position + 1)
      expect(result.similarity).toBe(Math.fround(Math.max(...cosines)))
      expect(cosines[column]).toBe(Math.max(...cosines))
      expect(result.synopsis).toBe(work?.texts[column])
      expect(result).toMatchObject({ title: work?.title, type: work?.type, year: work?.year })
      expect(result).toMatchObject({ genres: work?.genres, ...work?.metadata })
    }
    const similarities = results.map(({ similarity }) => similarity ?? 0)
    expect(similarities).toEqual([...similarities].sort((a, b) => b - a))
  })

  it.each(['anime', 'manga'] as const)(
    'cuts the %s into pages that lose nothing',
    async (dataset) => {
      const world = createWorld()
      const { content } = world
      const ranks: number[] = []
      const ids: number[] = []
      for (let page = 1; page <= 9; page++) {
        const { results, pagination } = await responseOf(
          world,
          ask({ dataset, page, resultsPerPage: 7 }),
        )
        const withText = content[dataset].works.filter(({ texts }) => texts.some((text) => text))
        expect(pagination).toEqual({
          page,
          resultsPerPage: 7,
          totalResults: withText.length,
          totalPages: Math.ceil(withText.length / 7),
          reachableResults: withText.length,
        })
        ids.push(...results.map(({ id }) => id))
        ranks.push(...results.map(({ rank }) => rank))
      }
      const expected = content[dataset].works.filter(({ texts }) => texts.some((text) => text))
      expect(ids.sort((a, b) => a - b)).toEqual(expected.map(({ id }) => id))
      expect(ranks).toEqual(expected.map((_, position) => position + 1))
    },
  )

  it('answers no results past the last page, and does not search for them', async () => {
    const world = createWorld()
    const { indexes } = world
    const { results, pagination } = await responseOf(world, ask({ page: 1000 }))
    expect(results).toEqual([])
    expect(pagination).toMatchObject({ page: 1000, totalResults: 52, totalPages: 6 })
    expect(indexes[0]?.searches).toBe(0)
  })

  it('says what it was made with and how long each phase took', async () => {
    const { meta, timings } = await createWorld().search.similar(ask({ dataset: 'manga' }))
    expect(meta).toMatchObject({ model, dataset: 'manga', device: 'cpu' })
    expect(timings).toMatchObject({ queueMs: 0.25, tokenizeMs: 0.125, inferMs: 0.5 })
    expect(timings.totalMs).toBeGreaterThanOrEqual(timings.scanMs)
  })

  it('keeps its own members where the metadata has the same names', async () => {
    const { collections, encoder, content } = createWorld()
    const works = content.anime.works.map((work) => ({
      ...work,
      metadata: { rank: 'x', id: 'x', similarity: 'x', popularity: 3 },
    }))
    const catalogue = new ArrayCatalogue({ anime: { ...content.anime, works } })
    const search = createSearchService({
      catalogue,
      collections,
      models: only(encoder),
      knowledge: createKnowledge(catalogue),
    })
    const { results } = await responseOf({ search, catalogue }, ask({ resultsPerPage: 1 }))
    expect(results[0]).toMatchObject({ rank: 1, popularity: 3 })
    expect(typeof results[0]?.id).toBe('number')
    expect(Object.keys(results[0] ?? {}).slice(0, 2)).toEqual(['rank', 'similarity'])
  })
})

describe('similar refuses', () => {
  it('a dataset that the catalogue does not hold', async () => {
    const { collections, encoder } = createWorld()
    const catalogue = new ArrayCatalogue({})
    const search = createSearchService({
      catalogue,
      collections,
      models: only(encoder),
      knowledge: createKnowledge(catalogue),
    })
    await expect(search.similar(ask())).rejects.toBeInstanceOf(DatasetMissingError)
  })

  it('a description without a word that the model knows', async () => {
    const { search } = createWorld()
    const refused = search.similar(ask({ description: '12 34' }))
    await expect(refused).rejects.toBeInstanceOf(ValidationError)
    await expect(refused).rejects.toMatchObject({ problems: [{ path: 'description' }] })
  })

  it('embeddings of another dimension than the model', async () => {
    const { catalogue, collections } = createWorld()
    const other = Object.assign(new WordEncoder(model), { dimension: 32 })
    const search = createSearchService({
      catalogue,
      collections,
      models: only(other),
      knowledge: createKnowledge(catalogue),
    })
    const refused = search.similar(ask())
    await expect(refused).rejects.toBeInstanceOf(DimensionMismatchError)
    await expect(refused).rejects.toMatchObject({
      remedy: `synoptic embed build --dataset anime --model ${model}`,
    })
  })

  it('to go on for a caller who has left, at any phase', async () => {
    const { search, encoder } = createWorld()
    const reason = new Error('left')
    await expect(search.similar(ask(), AbortSignal.abort(reason))).rejects.toBe(reason)
    expect(encoder.encoded).toEqual([])
    const controller = new AbortController()
    const held = deferred()
    encoder.hold = held.promise
    const pending = search.similar(ask(), controller.signal)
    controller.abort(reason)
    held.resolve()
    await expect(pending).rejects.toBe(reason)
  })
})
