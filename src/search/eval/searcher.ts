/** Searches for known items as the server does, in this process. */
import type { DatasetInfo, DatasetName } from '../../data/catalogue/catalogue.js'
import { DatasetMissingError } from '../../base/errors/index.js'
import type { OpenSearch } from '../composition/open-search.js'
import { createFirstStage, semanticRows } from '../ranking/first-stage.js'
import type { Ranker } from '../ranking/ranker.js'
import type { KnownItem } from './known-items.js'
import type { FirstStage } from './systems.js'

/** Rows, the best first. */
export type Ordered = Uint32Array

export interface Searcher {
  /** Finds at most `count` rows for an item. */
  find(stage: FirstStage, item: KnownItem, count: number): Promise<Ordered>
  /** Runs a task with a reranker, which stays loaded meanwhile. */
  use<T>(reranker: string, task: (reorder: Reorder) => Promise<T>): Promise<T>
}

/** The rows found for an item in the reranker's order. */
export type Reorder = (item: KnownItem, rows: Ordered) => Promise<Ordered>

export type SearcherParts = Pick<OpenSearch, 'catalogue' | 'models' | 'collections' | 'rankers'>

/** Pairs that a cross-encoder reads at once, the default of /search. */
const batchSize = 32

export function createSearcher(parts: SearcherParts): Searcher {
  const { catalogue, rankers } = parts
  const infoOf = (name: DatasetName): DatasetInfo => {
    const info = catalogue.dataset(name)
    if (info === undefined) throw new DatasetMissingError(name)
    return info
  }
  return {
    async find({ mode, model }, { dataset: name, query }, count) {
      if (model === null) {
        return Uint32Array.from(await catalogue.lexical(name, query, count), ({ row }) => row)
      }
      const request = { dataset: infoOf(name), query, count, mask: undefined }
      const services = { ...parts, encoder: model }
      if (mode === 'semantic') return semanticRows(services, request, count)
      return createFirstStage(services).candidates(request)
    },
    use: (reranker, task) =>
      rankers.use(reranker, undefined, (ranker) =>
        task((item, rows) => reorder(ranker, infoOf(item.dataset), item, rows)),
      ),
  }
}

async function reorder(
  ranker: Ranker,
  dataset: DatasetInfo,
  { query }: KnownItem,
  candidateRows: Ordered,
): Promise<Ordered> {
  const { scores } = await ranker.rank({ dataset, query, rows: candidateRows, batchSize })
  const hits = Array.from(candidateRows, (row, position) => ({ row, score: scores[position] ?? 0 }))
  hits.sort((one, other) => other.score - one.score || one.row - other.row)
  return Uint32Array.from(hits, ({ row }) => row)
}
