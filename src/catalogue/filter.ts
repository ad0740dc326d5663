/** What a search may be narrowed to, as a mask of the rows that SQLite finds by it. */
import type Database from 'better-sqlite3'
import type { DatasetInfo } from './dataset.js'
import { maskOf, type RowMask } from '../util/row-mask.js'
import { datasetNumber } from './schema.js'

/** Everything that is said must hold; what an entry does not tell (null) fulfils nothing. */
export interface EntryFilter {
  /** Any of these, as `typeName` writes them. */
  readonly types?: readonly string[] | undefined
  /** None of these. */
  readonly withoutTypes?: readonly string[] | undefined
  /** Names in any case. */
  readonly genres?: GenreFilter | undefined
  readonly yearFrom?: number | undefined
  readonly yearTo?: number | undefined
  /** 0 to 10. */
  readonly minScore?: number | undefined
  readonly adult?: boolean | undefined
}

export interface GenreFilter {
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

/** Masks that are kept: half a megabyte for 65,000 rows. */
const mostMasks = 64

/** Answers undefined where every row passes, and the same mask for the same filter while it is kept. */
export function prepareFilter(
  database: Database.Database,
  info: DatasetInfo,
): (filter: EntryFilter) => RowMask | undefined {
  const kept = new Map<string, RowMask>()
  return (filter) => {
    const conditions = conditionsOf(filter, datasetNumber(info.name))
    if (conditions.length === 0) return undefined
    const key = JSON.stringify(conditions)
    const mask = kept.get(key) ?? readMask(database, info, conditions)
    // Whoever is found again is the youngest: what nobody asks for goes first.
    kept.delete(key)
    kept.set(key, mask)
    const [oldest] = kept.keys()
    if (kept.size > mostMasks && oldest !== undefined) kept.delete(oldest)
    return mask
  }
}

interface Condition {
  readonly sql: string
  readonly values: readonly (string | number)[]
}

function readMask(
  database: Database.Database,
  { name, rows: rowCount }: DatasetInfo,
  conditions: readonly Condition[],
): RowMask {
  const where = conditions.map(({ sql }) => `AND ${sql}`).join(' ')
  const values = conditions.flatMap(({ values }) => values)
  const rows = database
    .prepare<(string | number)[], number>(`SELECT row FROM entries WHERE dataset = ? ${where}`)
    .pluck()
    .all(datasetNumber(name), ...values)
  return maskOf(rowCount, rows)
}

function conditionsOf(filter: EntryFilter, dataset: number): Condition[] {
  const { types, withoutTypes = [], genres = {}, yearFrom, yearTo, minScore, adult } = filter
  const { any, all = [], none = [] } = genres
  const conditions: Condition[] = []
  const add = (sql: string, ...values: (string | number)[]) => conditions.push({ sql, values })
  const addGenres = (is: 'IN' | 'NOT IN', names: readonly string[]) => {
    const withAny = `SELECT row FROM genres WHERE dataset = ? AND genre IN (${marks(names)})`
    add(`row ${is} (${withAny})`, dataset, ...names)
  }
  if (types !== undefined) add(`type IN (${marks(types)})`, ...types)
  if (withoutTypes.length > 0) {
    add(`(type IS NULL OR type NOT IN (${marks(withoutTypes)}))`, ...withoutTypes)
  }
  if (any !== undefined) addGenres('IN', any)
  for (const genre of all) addGenres('IN', [genre])
  if (none.length > 0) addGenres('NOT IN', none)
  if (yearFrom !== undefined) add('year >= ?', yearFrom)
  if (yearTo !== undefined) add('year <= ?', yearTo)
  if (minScore !== undefined) add('score >= ?', minScore)
  if (adult !== undefined) add('adult = ?', Number(adult))
  return conditions
}

const marks = (values: readonly unknown[]) => values.map(() => '?').join(', ')
