/**
 * Catalogue and segments as one for searches of descriptions: the rows of a segment follow those before it, from a
 * multiple of eight on, so that the mask of each part is a slice of the whole.
 */
import { LRUCache } from 'lru-cache'
import { countRows, withoutRows, type RowMask } from '../../base/util/row-mask.js'
import type { Catalogue, DatasetInfo, DatasetName } from '../../data/catalogue/catalogue.js'
import type { SearchResult, VectorIndex } from '../../native/addon/vector-index.js'
import type { Collection, CollectionStore } from '../index/store.js'
import type { Part, Place } from './pending-view.js'

export interface JoinedPart extends Part {
  readonly collections: Pick<CollectionStore, 'use'>
  /** Whether it has vectors by a model; where it has none, words alone find its rows. */
  readonly hasVectors: (name: DatasetName, model: string) => boolean
}

export interface JoinedRows {
  readonly catalogue: Catalogue
  readonly collections: CollectionStore
  /** Where a row of a dataset of this catalogue is. */
  place(dataset: DatasetInfo, row: number): (Place & { readonly dataset: DatasetInfo }) | undefined
}

interface OwnRows {
  readonly part: JoinedPart
  readonly info: DatasetInfo
  /** Its first row, a multiple of eight. */
  readonly start: number
}

const maxMasks = 64

/** @param parts the main catalogue and its segments */
export function joinRows(
  parts: readonly [JoinedPart, ...JoinedPart[]],
  stored: Omit<CollectionStore, 'use'>,
): JoinedRows {
  const [{ catalogue: main }] = parts
  const joined = new Map(main.datasets().map((info) => [info.name, joinDataset(info, parts)]))
  const rowsOf = (name: DatasetName) => {
    const found = joined.get(name)
    if (found !== undefined) return found
    throw new RangeError(`expected a dataset of the catalogue, received ${name}`)
  }
  const masks = new LRUCache<string, RowMask>({ max: maxMasks })
  const placeOf = (name: DatasetName, row: number) => {
    const own = rowsOf(name).parts.findLast(({ start }) => start <= row)
    if (own === undefined) throw new RangeError(`expected a row, received ${row}`)
    return { catalogue: own.part.catalogue, dataset: own.info, row: row - own.start }
  }
  const catalogue: Catalogue = {
    ...main,
    datasets: () => [...joined.values()].map(({ info }) => info),
    dataset: (name) => joined.get(name)?.info,
    entry(name, row) {
      const place = placeOf(name, row)
      return place.catalogue.entry(name, place.row)
    },
    text(name, row, column) {
      const place = placeOf(name, row)
      return place.catalogue.text(name, place.row, column)
    },
    mask(name, filter) {
      const key = `${name} ${JSON.stringify(filter)}`
      const known = masks.get(key)
      if (known !== undefined) return known
      const mask = new Uint8Array(rowsOf(name).info.rows / 8)
      for (const { part, info, start } of rowsOf(name).parts) {
        const own = part.catalogue.mask(name, filter)
        mask.set(withoutRows(own, info.rows, part.deadRows(name)), start / 8)
      }
      masks.set(key, mask)
      return mask
    },
    async lexical(name, query, limit, mask) {
      const found = await Promise.all(
        rowsOf(name).parts.map(async (own) => {
          const of = maskOfPart(own, mask)
          const hits = await own.part.catalogue.lexical(name, query, limit, of)
          return hits.map(({ row, score }) => ({ row: row + own.start, score }))
        }),
      )
      const all = found.flat()
      return all
        .sort((one, other) => other.score - one.score || one.row - other.row)
        .slice(0, limit)
    },
  }
  return {
    catalogue,
    collections: {
      ...stored,
      use(dataset, model, task) {
        const { parts, info } = rowsOf(dataset.name)
        const searched = parts.filter(({ part }) => part.hasVectors(info.name, model))
        return useEach(searched, model, [], (open) => task(joinCollections(info, open)))
      },
    },
    place: (dataset, row) =>
      joined.get(dataset.name)?.info === dataset ? placeOf(dataset.name, row) : undefined,
  }
}

function joinDataset(info: DatasetInfo, parts: readonly JoinedPart[]) {
  let start = 0
  const own = parts.flatMap((part): OwnRows[] => {
    const found = part.catalogue.dataset(info.name)
    if (found === undefined) return []
    const rows = { part, info: found, start }
    start += Math.ceil(found.rows / 8) * 8
    return [rows]
  })
  return { parts: own, info: { ...info, rows: start } }
}

/** The slices of a mask, each one object, as searches with the same mask share a scan. */
const slices = new WeakMap<RowMask, Map<number, RowMask>>()

function maskOfPart({ start, info }: OwnRows, mask: RowMask | undefined): RowMask | undefined {
  if (mask === undefined) return undefined
  const known = slices.get(mask) ?? new Map<number, RowMask>()
  slices.set(mask, known)
  const slice = known.get(start) ?? mask.subarray(start / 8, start / 8 + Math.ceil(info.rows / 8))
  known.set(start, slice)
  return slice
}

interface OpenPart extends OwnRows {
  readonly collection: Collection
}

function useEach<R>(
  [first, ...rest]: readonly OwnRows[],
  model: string,
  open: readonly OpenPart[],
  task: (open: readonly OpenPart[]) => Promise<R>,
): Promise<R> {
  if (first === undefined) return task(open)
  return first.part.collections.use(first.info, model, (collection) =>
    useEach(rest, model, [...open, { ...first, collection }], task),
  )
}

/** Columns of its index are those of the dataset. */
function joinCollections(info: DatasetInfo, parts: readonly OpenPart[]): Collection {
  const valid = new Uint8Array(info.rows / 8)
  for (const { collection, start } of parts) valid.set(collection.valid, start / 8)
  const dimension = parts[0]?.collection.index.dimension ?? 0
  const index: VectorIndex = {
    rows: info.rows,
    dimension,
    columns: info.columns,
    async search(queries, count, k, { mask, signal } = {}) {
      const found = await Promise.all(
        parts.map(async (part) => {
          const depth = Math.min(k, part.info.rows)
          const options = { mask: maskOfPart(part, mask), signal }
          const result = await part.collection.index.search(queries, count, depth, options)
          return { part, depth, result }
        }),
      )
      return mergeHits(found, count, k)
    },
    validRows: () => valid,
    vectors: () => Promise.reject(new Error('nobody reads the vectors of joined rows')),
    stats: () => ({ validRows: countRows(valid), validVectors: [], mappedBytes: 0 }),
    close: () => undefined,
  }
  return {
    index,
    columns: [...info.columns.keys()],
    valid,
    validRows: countRows(valid),
  }
}

interface FoundInPart {
  readonly part: OpenPart
  readonly depth: number
  readonly result: SearchResult
}

/** Score descending, row ascending: the order of one index. */
function mergeHits(found: readonly FoundInPart[], count: number, k: number): SearchResult {
  const rows = new Uint32Array(count * k)
  const columns = new Uint16Array(count * k)
  const scores = new Float32Array(count * k)
  const counts = new Uint32Array(count)
  for (let query = 0; query < count; query += 1) {
    const next = found.map(() => 0)
    for (let at = query * k; at < (query + 1) * k; at += 1) {
      let best = -1
      let bestScore = -Infinity
      found.forEach(({ depth, result }, i) => {
        const position = next[i] ?? 0
        if (position >= (result.counts[query] ?? 0)) return
        const score = result.scores[query * depth + position] ?? 0
        if (score > bestScore) [best, bestScore] = [i, score]
      })
      const taken = found[best]
      if (taken === undefined) break
      const from = query * taken.depth + (next[best] ?? 0)
      next[best] = (next[best] ?? 0) + 1
      rows[at] = (taken.result.rows[from] ?? 0) + taken.part.start
      columns[at] = taken.part.collection.columns[taken.result.columns[from] ?? 0] ?? 0
      scores[at] = bestScore
      counts[query] = (counts[query] ?? 0) + 1
    }
  }
  const device = found[0]?.result.device
  return { rows, columns, scores, counts, ...(device !== undefined && { device }) }
}

/** Rows of a text in the main part, then in segments, that count. */
export function rowsOfParts(
  name: DatasetName,
  parts: readonly JoinedPart[],
  rowsOf: (part: JoinedPart) => readonly number[],
): readonly number[] {
  let start = 0
  return parts.flatMap((part) => {
    const found = part.catalogue.dataset(name)
    if (found === undefined) return []
    const first = start
    start += Math.ceil(found.rows / 8) * 8
    const dead = part.deadRows(name)
    return rowsOf(part).flatMap((row) => (dead.has(row) ? [] : [row + first]))
  })
}
