/** The entries of a dataset that pass a filter, in an order: a listing without a query. */
import { LRUCache } from 'lru-cache'
import { DatasetMissingError } from '../../base/errors/index.js'
import { passes } from '../../base/util/row-mask.js'
import type { Catalogue, DatasetInfo, DatasetName, Entry } from '../../data/catalogue/catalogue.js'
import type { EntryFilter } from '../../data/catalogue/filter.js'
import { popularityRanks } from '../../data/catalogue/popularity-rank.js'
import { rowsInOrder, sortValues, type EntryOrder } from '../browse/entry-order.js'
import { countFacets, type FacetName, type Facets } from '../browse/facets.js'
import type { DatasetKnowledge } from '../knowledge/dataset-knowledge.js'
import { sliceOf, type Pagination } from './pagination.js'
import { resultTexts } from './shown-texts.js'
import { unmatchedValues } from './unmatched-values.js'

export interface ListQuery {
  readonly dataset: DatasetName
  readonly filter: EntryFilter
  readonly sort: EntryOrder
  readonly page: number
  readonly numResults: number
  readonly facets?: readonly FacetName[] | undefined
}

interface ListedEntry {
  readonly entry: Entry
  /** What it is sorted by, NaN where that is not known. */
  readonly sortedBy: number
  /** Whole; empty for an entry that has none. */
  readonly synopsis: string
  readonly column: string | null
  readonly popularityRank: number | null
}

export interface EntryList {
  readonly results: readonly ListedEntry[]
  readonly pagination: Pagination
  readonly facets?: Partial<Facets>
  readonly warnings: readonly string[]
}

/** Rejects with a DatasetMissingError, or a ValidationError for an order or a filter that the dataset lacks. */
export type ListEntries = (query: ListQuery) => Promise<EntryList>

export interface ListServices {
  readonly catalogue: Pick<Catalogue, 'dataset' | 'entry' | 'text' | 'mask'>
  readonly knowledge: (dataset: DatasetInfo) => Promise<DatasetKnowledge>
}

/** Orders of all rows that are kept: a quarter of a megabyte for 65,000 rows. */
const maxOrders = 16

export function createListEntries({ catalogue, knowledge }: ListServices): ListEntries {
  const orders = new LRUCache<string, { known: DatasetKnowledge; rows: Promise<Uint32Array> }>({
    max: maxOrders,
  })
  const inOrder = (dataset: DatasetInfo, sort: EntryOrder, known: DatasetKnowledge) => {
    const key = JSON.stringify([dataset.name, sort.by, sort.ascending === true])
    const kept = orders.get(key)
    if (kept?.known === known) return kept.rows
    const rows = rowsInOrder(sort, known)
    orders.set(key, { known, rows })
    return rows
  }
  return async ({ dataset: name, filter, sort, page, numResults, facets }) => {
    const dataset = catalogue.dataset(name)
    if (dataset === undefined) throw new DatasetMissingError(name)
    const known = await knowledge(dataset)
    const mask = catalogue.mask(name, filter)
    const ordered = await inOrder(dataset, sort, known)
    const rows = mask === undefined ? ordered : ordered.filter((row) => passes(mask, row))
    const { pagination, begin, end } = sliceOf(page, numResults, rows.length)
    const rankOf = popularityRanks(known.facts.popularity)
    const valueOf = sortValues(sort, known)
    return {
      results: Array.from(rows.subarray(begin, end), (row) => ({
        entry: catalogue.entry(name, row),
        sortedBy: valueOf(row),
        ...resultTexts(catalogue, dataset, row, undefined),
        popularityRank: rankOf(row),
      })),
      pagination,
      ...(facets && { facets: await countFacets(known, mask, facets) }),
      warnings: await unmatchedValues({ dataset, filter, mask }, knowledge),
    }
  }
}
