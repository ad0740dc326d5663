/** What is known of the works of a dataset, in arrays and lists of rows, so that a query is compared with every work in a millisecond. */
import type { FactKind, FactList, FactLists } from '../../data/catalogue/fact-lists.js'
import { placeInFranchises } from '../../data/catalogue/franchises.js'
import { createRecommendations, type Recommendations } from './recommendations.js'
import { statusRows } from './statuses.js'

/** Rows, ascending. */
export type RowList = Uint32Array

interface WeightedRows {
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
  readonly chapters: Uint16Array
  /** Of an episode, or of a film. */
  readonly minutes: Uint16Array
  /** 0 to 10, NaN where unknown. */
  readonly scores: Float32Array
  /** How well known a work is, -ln(rank / works); NaN where unknown. */
  readonly popularity: Float32Array
  /** Rows by value, values in lower case. */
  readonly types: ReadonlyMap<string, RowList>
  readonly audiences: ReadonlyMap<string, RowList>
  readonly sources: ReadonlyMap<string, RowList>
  /** `finished`, `ongoing`, and other words of catalogues. */
  readonly statuses: ReadonlyMap<string, RowList>
  readonly studios: ReadonlyMap<string, RowList>
  readonly people: ReadonlyMap<string, RowList>
  /** In which a manga ran. */
  readonly magazines: ReadonlyMap<string, RowList>
  readonly genres: ReadonlyMap<string, RowList>
  readonly tags: ReadonlyMap<string, WeightedRows>
  /** Places in franchises, such as `sequel`. */
  readonly relations: ReadonlyMap<string, RowList>
  /** Number of each row's franchise, -1 where unknown. */
  readonly franchises: Int32Array
  /** The rows of each franchise, by its number. */
  readonly franchiseMembers: readonly RowList[]
  /** By the key that the works of a franchise share. */
  readonly rowsOfFranchises: ReadonlyMap<string, RowList>
  readonly recommended: Recommendations
  /** 1 for rows that stand for their franchise: its main work, or a work without one. */
  readonly isMain: Uint8Array
  /** Names as written, for the interpretation of queries. */
  readonly names: {
    readonly genres: readonly string[]
    readonly studios: readonly string[]
    /** Who has made most comes first. */
    readonly people: readonly string[]
    /** In which most ran comes first. */
    readonly magazines: readonly string[]
    /** In lower case. */
    readonly types: readonly string[]
  }
}

/** How much a tag of weight 1, 2 or 3 says. */
export const tagDegrees = [0, 0.5, 0.8, 1] as const

/** Longer series than this are as long. */
const maxCount = 65_535

export function createDatasetFacts(
  { rowCount, lists, measures }: FactLists,
  popularity: Float32Array = new Float32Array(rowCount).fill(NaN),
): DatasetFacts {
  const byKind = new Map<FactKind, FactList[]>()
  for (const list of lists) {
    const ofKind = byKind.get(list.kind)
    if (ofKind === undefined) byKind.set(list.kind, [list])
    else ofKind.push(list)
  }
  const listsOf = (kind: FactKind) => byKind.get(kind) ?? []
  const rowsOf = (kind: FactKind) =>
    new Map(listsOf(kind).map(({ value, rows }) => [value.toLowerCase(), rows]))
  const namesOf = (kind: FactKind) => listsOf(kind).map(({ value }) => value)
  const byWorks = (kind: FactKind) =>
    listsOf(kind)
      .toSorted(byRows)
      .map(({ value }) => value)
  const counts = (values: Float32Array) =>
    Uint16Array.from(values, (value) => (value > 0 ? Math.min(value, maxCount) : 0))
  const { franchises, isMain } = placeInFranchises(popularity, lists)
  const numbers = new Map(listsOf('franchise').map(({ value }, number) => [value, number]))
  return {
    rowCount,
    years: counts(measures.year),
    episodes: counts(measures.episodes),
    volumes: counts(measures.volumes),
    chapters: counts(measures.chapters),
    minutes: counts(measures.minutes),
    scores: measures.score,
    popularity,
    types: rowsOf('type'),
    audiences: rowsOf('audience'),
    sources: rowsOf('source'),
    statuses: statusRows(listsOf('status')),
    studios: rowsOf('studio'),
    people: rowsOf('person'),
    magazines: rowsOf('magazine'),
    genres: rowsOf('genre'),
    tags: new Map(listsOf('tag').map((list) => [list.value, weigh(list)])),
    relations: rowsOf('relation'),
    franchises,
    franchiseMembers: listsOf('franchise').map(({ rows }) => rows),
    rowsOfFranchises: rowsOf('franchise'),
    isMain,
    recommended: createRecommendations(listsOf('recommended'), numbers, franchises),
    names: {
      genres: namesOf('genre'),
      studios: namesOf('studio'),
      people: byWorks('person'),
      magazines: byWorks('magazine'),
      types: namesOf('type').map((type) => type.toLowerCase()),
    },
  }
}

const byRows = (one: FactList, other: FactList): number => other.rows.length - one.rows.length

function weigh({ rows, weights }: FactList): WeightedRows {
  return { rows, degrees: Float32Array.from(rows, (_, at) => tagDegrees[weights?.[at] ?? 2] ?? 1) }
}
