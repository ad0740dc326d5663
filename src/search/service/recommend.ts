/** Works for somebody, by those that they liked and disliked, and by a text where there is one. */
import { isWorkDataset, type Catalogue, type DatasetInfo } from '../../data/catalogue/catalogue.js'
import { DatasetMissingError } from '../../base/errors/index.js'
import type { CollectionStore } from '../index/store.js'
import { textNeighbours } from '../ranking/text-neighbours.js'
import type { DatasetKnowledge } from '../knowledge/dataset-knowledge.js'
import { franchiseRows } from '../knowledge/franchise-rows.js'
import { exampleOf, likenessRules } from '../knowledge/likeness.js'
import { tasteOf, type WeightedRow } from '../knowledge/taste.js'
import type { RankedAnswer, RankedOptions, RankedSearchService } from './ranked-search.js'

interface WeightedWork {
  readonly id: number
  readonly weight: number
}

interface RecommendQuery extends Omit<RankedOptions, 'exclude' | 'taste'> {
  readonly liked: readonly WeightedWork[]
  readonly disliked: readonly WeightedWork[]
  /** Ids of works that are known already. */
  readonly seen: readonly number[]
  /** What the works should be, too. */
  readonly query?: string | undefined
}

interface RecommendAnswer extends RankedAnswer {
  /** Ids of liked works that each result is most like, in the order of the results. */
  readonly because: readonly (readonly number[])[]
}

export type Recommend = (query: RecommendQuery, signal?: AbortSignal) => Promise<RecommendAnswer>

export interface RecommendServices {
  readonly catalogue: Pick<Catalogue, 'dataset' | 'entry' | 'rowOfId'>
  readonly knowledge: (dataset: DatasetInfo) => Promise<DatasetKnowledge>
  readonly ranked: Pick<RankedSearchService, 'ranked'>
  /** Whose vectors are compared in datasets that have no tags. */
  readonly nearest?: { readonly collections: Pick<CollectionStore, 'use'>; readonly model: string }
}

export function createRecommend({
  catalogue,
  knowledge,
  ranked,
  nearest,
}: RecommendServices): Recommend {
  return async ({ liked, disliked, seen, query = '', ...options }, signal) => {
    const { dataset: name } = options
    const dataset = catalogue.dataset(name)
    if (dataset === undefined) throw new DatasetMissingError(name)
    const known = await knowledge(dataset)
    const rowsOf = (works: readonly WeightedWork[]): readonly WeightedRow[] =>
      works.flatMap(({ id, weight }) => {
        const row = catalogue.rowOfId(name, id)
        return row === undefined ? [] : [{ row, weight }]
      })
    const [likedRows, dislikedRows] = [rowsOf(liked), rowsOf(disliked)]
    const { facts, passes } = known
    const taste = await tasteOf(
      {
        passes,
        likenessRules: likenessRules(facts),
        async exampleOf(row) {
          // Tags say more of anime and manga than texts do; collections of other things have none.
          if (nearest === undefined || isWorkDataset(name)) return exampleOf(facts, row)
          const { cosines } = await nearest.collections.use(dataset, nearest.model, (collection) =>
            textNeighbours(collection, row, maxNeighbours, undefined, signal),
          )
          return exampleOf(facts, row, cosines)
        },
      },
      likedRows,
      dislikedRows,
      signal,
    )
    const ids = [...liked, ...disliked].map(({ id }) => id)
    const rows = [...ids, ...seen].flatMap((id) => catalogue.rowOfId(name, id) ?? [])
    const idOf = (row: number) => catalogue.entry(name, row).id
    // A sequel of what somebody knows is no news to them.
    const exclude = franchiseRows(facts, rows).map(idOf)
    const answer = await ranked.ranked({ ...options, query, exclude, taste: taste.scores }, signal)
    const found = answer.results.flatMap(({ id }) => catalogue.rowOfId(name, id) ?? [])
    const because = await taste.because(found)
    const unknown = ids.length - likedRows.length - dislikedRows.length
    return {
      ...answer,
      warnings:
        unknown === 0 ? answer.warnings : [...answer.warnings, unknownNote(unknown, ids.length)],
      because: because.map((liked) => liked.map(idOf)),
    }
  }
}

/** Texts that are compared with those of each liked work. */
const maxNeighbours = 1000

const unknownNote = (unknown: number, all: number): string =>
  `${unknown} of ${all} liked and disliked works are not in this catalogue.`
