/** The filter of a search, compiled by SQLite to a mask of rows. */
import { LRUCache } from 'lru-cache'
import type { Database } from '../../base/util/sqlite.js'
import type { DatasetInfo } from './dataset.js'
import { bothMasks, maskOf, type RowMask } from '../../base/util/row-mask.js'
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

interface NumberedDataset extends DatasetInfo {
  /** In the file. */
  readonly number: number
}

/** Number of cached masks: half a megabyte for 65,000 rows. */
const maxMasks = 64

/** Returns undefined if every row passes, and the cached mask for a recent filter. */
export function prepareFilter(
  database: Database,
  info: NumberedDataset,
  facts: () => Pick<RowFacts, 'listsOf'>,
  own: OwnValues,
): (filter: EntryFilter) => RowMask | undefined {
  const cached = new LRUCache<string, { readonly mask: RowMask | undefined }>({ max: maxMasks })
  const { number } = info
  const readAll = (conditions: readonly Condition[], lists: readonly Listed[]) => {
    const all = conditions.length > 0 ? readMask(database, info, conditions) : undefined
    const masks = lists.map(([kind, values]) =>
      maskOf(info.rows, rowsListed(facts(), kind, values)),
    )
    return masks.reduce<RowMask | undefined>((mask, next) => bothMasks(next, mask), all)
  }
  const maskFor = (filter: EntryFilter) => {
    const conditions = conditionsOf(filter, number)
    const lists = listsOf(filter)
    const facts = conditions.length + lists.length === 0 ? undefined : readAll(conditions, lists)
    const { where } = filter
    return where === undefined ? facts : bothMasks(ownMask(own, info.rows, where), facts)
  }
  return (filter) => {
    // Of the filter, not of its conditions: most searches have the same, and building conditions takes longer.
    const key = JSON.stringify(filter)
    const hit = cached.get(key)
    if (hit !== undefined) return hit.mask
    const mask = maskFor(filter)
    cached.set(key, { mask })
    return mask
  }
}

interface Condition {
  readonly sql: string
  readonly values: readonly (string | number)[]
}

function readMask(
  database: Database,
  { number, rows: rowCount }: NumberedDataset,
  conditions: readonly Condition[],
): RowMask | undefined {
  const where = conditions.map(({ sql }) => `AND ${sql}`).join(' ')
  const values = conditions.flatMap(({ values }) => values)
  const rows = database
    .prepare<(string | number)[], number>(`SELECT row FROM entries WHERE dataset = ? ${where}`)
    .pluck()
    .all(number, ...values)
  return rows.length === rowCount ? undefined : maskOf(rowCount, rows)
}

/** The rows that have at least one of the values, in any case. */
function rowsListed(
  facts: Pick<RowFacts, 'listsOf'>,
  kind: Listed[0],
  values: readonly string[],
): readonly number[] {
  const requested = new Set(values.map((value) => value.toLowerCase()))
  return [...facts.listsOf(kind)]
    .filter(({ value }) => requested.has(value.toLowerCase()))
    .flatMap(({ rows }) => [...rows])
}

/** Values of a kind of fact; a work has to have one of them. */
type Listed = readonly ['audience' | 'studio', readonly string[]]

function listsOf({ audiences, studios }: EntryFilter): Listed[] {
  return [
    ...(audiences === undefined ? [] : [['audience', audiences] as const]),
    ...(studios === undefined ? [] : [['studio', studios] as const]),
  ]
}

function conditionsOf(filter: EntryFilter, dataset: number): Condition[] {
  const { types, withoutTypes = [], genres, tags, yearFrom, yearTo, minScore, adult } = filter
  const conditions: Condition[] = []
  const add = (sql: string, ...values: (string | number)[]) => conditions.push({ sql, values })
  const addNames = (table: string, { any, all = [], none = [] }: NamesFilter = {}) => {
    const addRows = (is: 'IN' | 'NOT IN', names: readonly string[]) => {
      const withAny = `SELECT row FROM ${table}s WHERE dataset = ? AND ${table} IN (${marks(names)})`
      add(`row ${is} (${withAny})`, dataset, ...names)
    }
    if (any !== undefined) addRows('IN', any)
    for (const name of all) addRows('IN', [name])
    if (none.length > 0) addRows('NOT IN', none)
  }
  if (types !== undefined) add(`type IN (${marks(types)})`, ...types)
  if (withoutTypes.length > 0) {
    add(`(type IS NULL OR type NOT IN (${marks(withoutTypes)}))`, ...withoutTypes)
  }
  addNames('genre', genres)
  addNames('tag', tags)
  if (yearFrom !== undefined) add('year >= ?', yearFrom)
  if (yearTo !== undefined) add('year <= ?', yearTo)
  if (minScore !== undefined) add('score >= ?', minScore)
  if (adult !== undefined) add('adult = ?', Number(adult))
  return conditions
}

const marks = (values: readonly unknown[]) => values.map(() => '?').join(', ')
