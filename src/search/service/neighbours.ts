/**
 * Entries similar to an entry: by the cosine of their stored vectors, by tags and genres, and slightly by popularity.
 * Nothing is encoded.
 */
import { listNotes, type UserLists } from '../../data/anilist/user-lists.js'
import type { Catalogue, DatasetInfo, DatasetName } from '../../data/catalogue/catalogue.js'
import type { EntryFilter } from '../../data/catalogue/filter.js'
import { DatasetMissingError, NotFoundError } from '../../base/errors/index.js'
import type { CollectionStore } from '../index/store.js'
import type { DatasetKnowledge } from '../knowledge/dataset-knowledge.js'
import { franchiseRows } from '../knowledge/franchise-rows.js'
import { exampleOf, likenessRules } from '../knowledge/likeness.js'
import { textNeighbours } from '../ranking/text-neighbours.js'
import { toMicroseconds } from '../../base/util/microseconds.js'
import { withoutRows } from '../../base/util/row-mask.js'
import { maxResultWindow, sliceOf, type Pagination } from './pagination.js'
import { shownColumn } from './shown-texts.js'
import { unmatchedValues } from './unmatched-values.js'

export interface NeighbourQuery {
  readonly dataset: DatasetName
  readonly id: number
  /** Exact name of an allowed model, whose vectors are compared. */
  readonly model: string
  readonly page: number
  readonly resultsPerPage: number
  /** Restricts the entries that are compared; all if absent. */
  readonly filter?: EntryFilter
  /** Whether entries of its own franchise are compared, too. */
  readonly sameFranchise?: boolean
  /** Whether entries on the user's lists are left out. */
  readonly excludeListed?: boolean
}

interface NeighbourAnswer {
  readonly dataset: DatasetInfo
  readonly results: readonly {
    readonly rank: number
    /** Cosine of the nearest pair of texts; null where only tags and genres are alike. */
    readonly similarity: number | null
    readonly row: number
    /** Position in the dataset's columns of the entry's text in that pair. */
    readonly column: number
  }[]
  readonly pagination: Pagination
  readonly meta: {
    readonly model: string
    readonly dataset: DatasetName
    readonly id: number
    /** Why nothing passes the filter; absent if something does. */
    readonly notes?: readonly string[] | undefined
  }
  /** Milliseconds; no part of the body. */
  readonly timings: { readonly scanMs: number; readonly totalMs: number }
}

/** Rejects with a NotFoundError if the dataset has no such entry. */
export type FindNeighbours = (
  query: NeighbourQuery,
  signal?: AbortSignal,
) => Promise<NeighbourAnswer>

export interface NeighbourServices {
  readonly catalogue: Pick<Catalogue, 'dataset' | 'rowOfId' | 'mask' | 'text'>
  readonly collections: Pick<CollectionStore, 'use'>
  readonly knowledge: (dataset: DatasetInfo) => Promise<DatasetKnowledge>
  /** The lists of the AniList user; absent without an access token. */
  readonly lists?: Pick<UserLists, 'lookUp'>
}

export function createFindNeighbours({
  catalogue,
  collections,
  knowledge,
  lists,
}: NeighbourServices): FindNeighbours {
  return async (query, signal) => {
    const begunMs = performance.now()
    const { dataset: name, id, model, page, resultsPerPage, filter = {}, sameFranchise } = query
    const dataset = catalogue.dataset(name)
    if (dataset === undefined) throw new DatasetMissingError(name)
    const row = catalogue.rowOfId(name, id)
    if (row === undefined)
      throw new NotFoundError(`The ${name} dataset has no entry with the id ${id}.`)
    const known = await knowledge(dataset)
    const userLists = query.excludeListed ? await lists?.lookUp(name) : undefined
    const leftOut = sameFranchise === true ? [row] : franchiseRows(known.facts, [row])
    const scope = catalogue.mask(name, filter)
    const listed = userLists?.statuses.keys() ?? []
    const mask = withoutRows(scope, dataset.rows, [...leftOut, ...listed])
    const notes = [
      ...listNotes(userLists, query.excludeListed),
      ...(await unmatchedValues({ dataset, filter, mask: scope }, knowledge)),
    ]
    return collections.use(dataset, model, async (collection) => {
      const scanBegunMs = performance.now()
      // Every page cuts the same order, which is as deep as pages go.
      const texts = await textNeighbours(collection, row, maxResultWindow, mask, signal)
      const scannedMs = performance.now()
      const likest = await known.passes.findLikest(
        {
          likenessRules: likenessRules(known.facts),
          example: exampleOf(known.facts, row, texts.cosines),
          count: Math.min(maxResultWindow, dataset.rows),
          withCompared: true,
        },
        { mask, signal },
      )
      const { rows, cosines } = texts.cosines
      const cosineOf = new Map(Array.from(rows, (near, at) => [near, cosines[at] ?? 0]))
      const { pagination, begin, end } = sliceOf(page, resultsPerPage, likest.rows.length)
      const results = Array.from(likest.rows.subarray(begin, end), (row, position) => ({
        rank: begin + position + 1,
        similarity: cosineOf.get(row) ?? null,
        row,
        column: shownColumn(catalogue, dataset, row, texts.columns.get(row) ?? 0),
      }))
      const timings = {
        scanMs: toMicroseconds(scannedMs - scanBegunMs),
        totalMs: toMicroseconds(performance.now() - begunMs),
      }
      const meta = { model, dataset: name, id, notes: notes.length > 0 ? notes : undefined }
      return { dataset, results, pagination, meta, timings }
    })
  }
}
