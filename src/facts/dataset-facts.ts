/** The facts of a dataset by row, in arrays and lists of rows, so that a query is compared with every work in a millisecond. */
import { getOrAdd } from '../util/get-or-add.js'
import type { FactRow } from './fact-row.js'

/** Rows, ascending. */
export type RowList = Uint32Array

export interface WeightedRows {
  readonly rows: RowList
  /** 0 to 1, one a row. */
  readonly degrees: Float32Array
}

export interface DatasetFacts {
  readonly rowCount: number
  /** 0 where unknown. */
  readonly years: Uint16Array
  readonly episodes: Uint16Array
  readonly volumes: Uint16Array
  /** 0 to 10, NaN where unknown. */
  readonly scores: Float32Array
  /** How well known a work is, -ln(rank / works); NaN where unknown. */
  readonly popularity: Float32Array
  /** Rows by value, values in lower case. */
  readonly types: ReadonlyMap<string, RowList>
  readonly audiences: ReadonlyMap<string, RowList>
  readonly sources: ReadonlyMap<string, RowList>
  readonly statuses: ReadonlyMap<string, RowList>
  readonly studios: ReadonlyMap<string, RowList>
  readonly people: ReadonlyMap<string, RowList>
  readonly genres: ReadonlyMap<string, RowList>
  readonly tags: ReadonlyMap<string, WeightedRows>
  /** Number of each row's franchise, -1 where unknown. */
  readonly franchises: Int32Array
  /** 1 for rows that stand for their franchise: its main work, or a work without one. */
  readonly isMain: Uint8Array
  /** Names as written, for the interpretation of queries. */
  readonly names: {
    readonly genres: readonly string[]
    readonly studios: readonly string[]
    readonly people: readonly string[]
  }
}

/** How much a tag of weight 1, 2 or 3 says. */
export const tagDegrees = [0, 0.5, 0.8, 1] as const

export function createDatasetFacts(
  rows: Iterable<FactRow>,
  popularity?: Float32Array,
): DatasetFacts {
  const all = [...rows]
  const listed = (valuesOf: (row: FactRow) => readonly (string | null)[]) => listRows(all, valuesOf)
  const franchiseNumbers = new Map<string, number>()
  return {
    rowCount: all.length,
    years: Uint16Array.from(all, ({ year }) => year ?? 0),
    episodes: Uint16Array.from(all, ({ episodes }) => episodes ?? 0),
    volumes: Uint16Array.from(all, ({ volumes }) => volumes ?? 0),
    scores: Float32Array.from(all, ({ score }) => score ?? NaN),
    popularity: popularity ?? new Float32Array(all.length).fill(NaN),
    types: listed(({ type }) => [type]),
    audiences: listed(({ audience }) => [audience]),
    sources: listed(({ source }) => [source]),
    statuses: listed(({ status }) => [status]),
    studios: listed(({ studios }) => studios),
    people: listed(({ people }) => people),
    genres: listed(({ genres }) => genres),
    tags: weighTags(all),
    franchises: Int32Array.from(all, ({ franchise }) =>
      franchise === null ? -1 : getOrAdd(franchiseNumbers, franchise, () => franchiseNumbers.size),
    ),
    isMain: Uint8Array.from(all, ({ franchise, place }) =>
      Number(franchise === null || place === null || place === 'main'),
    ),
    names: {
      genres: namesOf(all, ({ genres }) => genres),
      studios: namesOf(all, ({ studios }) => studios),
      people: namesOf(all, ({ people }) => people),
    },
  }
}

function listRows(
  rows: readonly FactRow[],
  valuesOf: (row: FactRow) => readonly (string | null)[],
): Map<string, RowList> {
  const lists = new Map<string, number[]>()
  rows.forEach((facts, row) => {
    for (const value of new Set(valuesOf(facts).map((value) => value?.toLowerCase()))) {
      if (value !== undefined) getOrAdd(lists, value, (): number[] => []).push(row)
    }
  })
  return new Map([...lists].map(([value, list]) => [value, Uint32Array.from(list)]))
}

function weighTags(rows: readonly FactRow[]): Map<string, WeightedRows> {
  const lists = new Map<string, { rows: number[]; degrees: number[] }>()
  rows.forEach(({ tags }, row) => {
    for (const [tag, weight] of tags) {
      const list = getOrAdd(lists, tag, () => ({ rows: [], degrees: [] }))
      list.rows.push(row)
      list.degrees.push(tagDegrees[weight] ?? 1)
    }
  })
  return new Map(
    [...lists].map(([tag, { rows, degrees }]) => [
      tag,
      { rows: Uint32Array.from(rows), degrees: Float32Array.from(degrees) },
    ]),
  )
}

const namesOf = (rows: readonly FactRow[], valuesOf: (row: FactRow) => readonly string[]) => [
  ...new Set(rows.flatMap(valuesOf)),
]
