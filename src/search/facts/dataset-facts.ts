/** What is known of the works of a dataset, in columns and lists of rows: of the index of rows, and what queries mean by it. */
import type { FactKind } from '../../data/catalogue/fact-lists.js'
import type { RowFacts } from '../../data/catalogue/row-facts.js'
import { createRowLists, type NamedRows, type RowList, type RowLists } from './named-rows.js'
import { statusRows } from './statuses.js'

export type { NamedRows, RowList } from './named-rows.js'

type Columns = Pick<
  RowFacts,
  | 'rowCount'
  | 'years'
  | 'episodes'
  | 'volumes'
  | 'chapters'
  | 'minutes'
  | 'scores'
  | 'popularity'
  | 'franchises'
  | 'isMain'
  | 'traits'
>

export interface DatasetFacts extends Columns {
  /** Every list by its number. */
  readonly lists: RowLists
  /** Rows by value, values in lower case. */
  readonly types: NamedRows
  readonly audiences: NamedRows
  readonly sources: NamedRows
  /** `finished`, `ongoing`, and other words of catalogues. */
  readonly statuses: NamedRows
  readonly studios: NamedRows
  readonly people: NamedRows
  /** In which a manga ran. */
  readonly magazines: NamedRows
  readonly genres: NamedRows
  readonly tags: NamedRows
  /** Places in franchises, such as `sequel`. */
  readonly relations: NamedRows
  /** By the key that the works of a franchise share. */
  readonly rowsOfFranchises: NamedRows
  /** The rows of a franchise, by its number. */
  readonly franchiseMembers: (franchise: number) => RowList
  /** Whether the score of any work is known. */
  readonly hasScores: boolean
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

export function createDatasetFacts(stored: RowFacts): DatasetFacts {
  const lists = createRowLists(stored)
  const valuesOf = (kind: FactKind) => stored.valuesOf(kind).values
  const rowsOf = (kind: FactKind) => {
    const { first, values } = stored.valuesOf(kind)
    return lists.named(values.map((value, at) => [value.toLowerCase(), first + at]))
  }
  const byWorks = (kind: FactKind) => {
    const { first, values } = stored.valuesOf(kind)
    return values
      .map((value, at) => ({ value, count: lists.rowsOf(first + at).length }))
      .sort((one, other) => other.count - one.count)
      .map(({ value }) => value)
  }
  const { first: firstTag, values: tags } = stored.valuesOf('tag')
  const { first: firstFranchise } = stored.valuesOf('franchise')
  return {
    ...stored,
    lists,
    types: rowsOf('type'),
    audiences: rowsOf('audience'),
    sources: rowsOf('source'),
    statuses: statusRows(lists, stored.valuesOf('status')),
    studios: rowsOf('studio'),
    people: rowsOf('person'),
    magazines: rowsOf('magazine'),
    genres: rowsOf('genre'),
    tags: lists.named(tags.map((tag, at) => [tag, firstTag + at])),
    relations: rowsOf('relation'),
    rowsOfFranchises: rowsOf('franchise'),
    franchiseMembers: (franchise) => lists.rowsOf(firstFranchise + franchise),
    hasScores: stored.scores.some((score) => !Number.isNaN(score)),
    names: {
      genres: valuesOf('genre'),
      studios: valuesOf('studio'),
      people: byWorks('person'),
      magazines: byWorks('magazine'),
      types: valuesOf('type').map((type) => type.toLowerCase()),
    },
  }
}
