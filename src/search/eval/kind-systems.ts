/** The systems that answer a file of queries: the search itself, and what it is compared with. */
import type { OpenSearch } from '../composition/open-search.js'
import { createFirstStage } from '../ranking/first-stage.js'
import type { KindSystem } from './measure-kinds.js'
import type { KindQuery } from './queries.js'

export interface SystemsOptions {
  /** Encoders whose vectors fused with bm25 are systems of their own. */
  readonly models: readonly string[]
}

/** As a request that says nothing else. */
const defaults = {
  numResults: 10,
  batchSize: 32,
  candidates: 100,
  includeLightNovels: true,
} as const

export function kindSystems(
  search: Pick<OpenSearch, 'catalogue' | 'collections' | 'models' | 'ranked'>,
  { models }: SystemsOptions,
): readonly KindSystem[] {
  const { catalogue, ranked } = search
  const ask = async ({ dataset, query }: KindQuery, interpret: boolean) => {
    const { results } = await ranked.ranked({
      ...defaults,
      dataset,
      query,
      interpret,
      filter: { adult: false },
    })
    return results.map(({ id }) => catalogue.rowOfId(dataset, id) ?? -1)
  }
  return [
    { name: '/search', answer: (query) => ask(query, true) },
    { name: 'texts alone', answer: (query) => ask(query, false) },
    {
      name: 'bm25',
      answer: async ({ dataset, query }) => {
        const hits = await catalogue.lexical(dataset, query, defaults.numResults)
        return hits.map(({ row }) => row)
      },
    },
    ...models.map((model): KindSystem => ({
      name: `${model.split('/').at(-1) ?? model} + bm25`,
      async answer({ dataset: name, query }) {
        const dataset = catalogue.dataset(name)
        if (dataset === undefined) return []
        const stage = createFirstStage({ ...search, encoder: model })
        return stage.candidates({ dataset, query, count: defaults.numResults, mask: undefined })
      },
    })),
  ]
}
