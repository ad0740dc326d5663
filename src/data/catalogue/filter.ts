/** The filter of a search, and the mask of rows that the core makes of it. */
import { LRUCache } from 'lru-cache'
import { bothMasks, type RowMask } from '../../base/util/row-mask.js'
import type { RowIndex } from '../../native/addon/row-index.js'
import type { FactKind } from './fact-lists.js'
import { ownMask, type OwnFilter } from './own-filter.js'
import type { OwnValues } from './own-values.js'
import type { RowFacts } from './row-facts.js'

/** All conditions must hold. An unknown value (null) meets no condition. */
export interface EntryFilter {
  /** Any of these, as `typeName` writes them. */
  readonly types?: readonly string[] | undefined
  /** None of these. */
  readonly withoutTypes?: readonly string[] | undefined
  /** Names in any case. */
  readonly genres?: NamesFilter | undefined
  /** Keys of the vocabulary, of shown and hidden tags. */
  readonly tags?: NamesFilter | undefined
  /** Any of these, in any case. */
  readonly audiences?: readonly string[] | undefined
  /** Any of these, in any case. */
  readonly studios?: readonly string[] | undefined
  readonly yearFrom?: number | undefined
  readonly yearTo?: number | undefined
  /** 0 to 10. */
  readonly minScore?: number | undefined
  /** Whether works are for adults only. */
  readonly adult?: boolean | undefined
  /** Of the user's own metadata, by name. */
  readonly where?: OwnFilter | undefined
}

export interface NamesFilter {
  readonly any?: readonly string[] | undefined
  readonly all?: readonly string[] | undefined
  readonly none?: readonly string[] | undefined
}

/** Types are lower-case words joined by `_`: `Light Novel` is `light_novel`; null without a word. */
export function typeName(text: string): string | null {
  return (
    text
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu)
      ?.join('_') ?? null
  )
}

/** Number of cached masks: half a megabyte for 65,000 rows. */
const maxMasks = 64

/** What finds rows in an index of rows. */
interface FilteredRows {
  readonly facts: () => Pick<RowFacts, 'listOf'>
  readonly passes: Pick<RowIndex, 'filter'>
}

/** Returns undefined if every row passes, and the cached mask for a recent filter. */
export function prepareFilter(
  rowCount: number,
  index: () => FilteredRows,
  own: OwnValues,
): (filter: EntryFilter) => RowMask | undefined {
  const cached = new LRUCache<string, { readonly mask: RowMask | undefined }>({ max: maxMasks })
  const maskFor = ({ where, ...filter }: EntryFilter) => {
    const isFiltered = Object.values(filter).some((condition) => condition !== undefined)
    const facts = isFiltered ? maskByFacts(index(), filter) : undefined
    return where === undefined ? facts : bothMasks(ownMask(own, rowCount, where), facts)
  }
  return (filter) => {
    // Most searches have the same.
    const key = JSON.stringify(filter)
    const hit = cached.get(key)
    if (hit !== undefined) return hit.mask
    const mask = maskFor(filter)
    cached.set(key, { mask })
    return mask
  }
}

function maskByFacts({ facts, passes }: FilteredRows, conditions: EntryFilter) {
  const { types, withoutTypes = [], genres, tags, audiences, studios, ...bounds } = conditions
  const known = facts()
  const listsOf = (kind: FactKind, values: readonly string[]) =>
    values.flatMap((value) => known.listOf(kind, value) ?? [])
  const each = [
    { kind: 'type', any: types, none: withoutTypes },
    { kind: 'genre', ...genres },
    { kind: 'tag', ...tags },
    { kind: 'audience', any: audiences },
    { kind: 'studio', any: studios },
  ] as const satisfies readonly (NamesFilter & { kind: FactKind })[]
  return passes.filter({
    ...bounds,
    anyOf: each.flatMap(({ kind, any, all = [] }: NamesFilter & { kind: FactKind }) => [
      ...(any === undefined ? [] : [listsOf(kind, any)]),
      ...all.map((value) => listsOf(kind, [value])),
    ]),
    noneOf: each.flatMap(({ kind, none = [] }: NamesFilter & { kind: FactKind }) =>
      listsOf(kind, none),
    ),
  })
}
