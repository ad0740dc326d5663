/** Two small datasets behind the real store and the real service. */
import type { WorkDataset } from '#synoptic/data/catalogue/dataset.js'
import type { Encoder } from '#synoptic/models/encoders/encoder.js'
import type { UserLists } from '#synoptic/data/anilist/user-lists.js'
import {
  createSearchService,
  type SearchService,
  type SearchServices,
} from '#synoptic/search/service/service.js'
import { createKnowledge } from '#synoptic/search/knowledge/dataset-knowledge.js'
import { createCollectionStore, type CollectionStore } from '#synoptic/search/index/store.js'
import {
  createResourceCache,
  type ResourceCache,
} from '#synoptic/models/residency/resource-cache.js'
import { ArrayCatalogue, inventWorks, type ArrayDataset } from './array-catalogue.js'
import { ArrayIndex } from './array-index.js'
import { WordEncoder, wordDimension, wordVector } from './word-encoder.js'

export interface World {
  readonly catalogue: ArrayCatalogue
  readonly collections: CollectionStore
  /** Owns what the collections open. */
  readonly cache: ResourceCache
  readonly search: SearchService
  readonly encoder: WordEncoder
  /** Every index that was opened. */
  readonly indexes: ArrayIndex[]
  readonly content: { readonly anime: ArrayDataset; readonly manga: ArrayDataset }
}

export const model = 'test/words'

/** Works with texts alone. */
const bare = (works: ArrayDataset['works']) =>
  works.map((work) => ({ ...work, genres: [], year: null }))

export function createWorld(
  now?: () => number,
  lists?: Pick<UserLists, 'lookUp'>,
  isBare = false,
): World {
  const invent = (...shape: Parameters<typeof inventWorks>) =>
    isBare ? bare(inventWorks(...shape)) : inventWorks(...shape)
  const content = {
    anime: {
      columns: ['synopsis', 'Synopsis second Dataset', 'Synopsis third Dataset'],
      works: invent(57, 3, 11),
    },
    manga: { columns: ['synopsis'], works: invent(23, 1, 12) },
  }
  const catalogue = new ArrayCatalogue(content)
  const indexes: ArrayIndex[] = []
  const cache = createResourceCache(now === undefined ? {} : { now })
  const collections = createCollectionStore(cache, (dataset) => {
    const index = indexOf(content[dataset.name as WorkDataset])
    indexes.push(index)
    return Promise.resolve(index)
  })
  const encoder = new WordEncoder(model)
  const search = createSearchService({
    catalogue,
    collections,
    models: only(encoder),
    knowledge: createKnowledge(catalogue),
    ...(lists && { lists }),
  })
  return { catalogue, collections, cache, search, encoder, indexes, content }
}

/** Models; there is one. */
export const only = (encoder: Encoder): SearchServices['models'] => ({
  use: (_, task) => task(encoder),
})

export function indexOf({ columns, works }: ArrayDataset): ArrayIndex {
  return new ArrayIndex({
    columns,
    rows: works.length,
    dimension: wordDimension,
    matrices: columns.map((_, column) =>
      works.map(({ texts }) => (texts[column] ? wordVector(texts[column]) : null)),
    ),
  })
}
