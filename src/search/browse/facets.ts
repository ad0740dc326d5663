/** What the works of a dataset can be filtered by, with the number of works that have each value. */
import type { Filterable, OwnValues } from '../../data/catalogue/own-values.js'
import type { RowPasses } from '../../native/addon/row-index.js'
import type { DatasetFacts, NamedRows } from '../facts/dataset-facts.js'
import type { TagWords } from '../reader/lexicon.js'
import { passes, type RowMask } from '../../base/util/row-mask.js'

export interface Facet {
  /** What a filter takes. */
  readonly value: string
  /** For people, where that differs. */
  readonly name?: string
  /** What kind of tag it is. */
  readonly family?: string
  readonly count: number
}

/** Null where nothing is known. */
export interface FacetRange {
  readonly from: number | null
  readonly to: number | null
}

export interface Facets {
  readonly types: readonly Facet[]
  /** The first and the last year in which a work began; null where no year is known. */
  readonly years: FacetRange
  /** The lowest and the highest average rating; null where none is known. */
  readonly scores: FacetRange
  readonly audiences: readonly Facet[]
  readonly genres: readonly Facet[]
  readonly tags: readonly Facet[]
  readonly studios: readonly Facet[]
  /** Of metadata that the mapping declares filterable, by name. */
  readonly where: Readonly<Record<string, OwnFacet>>
}

/** Values of texts, or the lowest and the highest number; dates as numbers, 20051004. */
interface OwnFacet {
  readonly values?: readonly Facet[]
  readonly from?: number | null
  readonly to?: number | null
}

export const facetNames = [
  'types',
  'years',
  'scores',
  'audiences',
  'genres',
  'tags',
  'studios',
  'where',
] as const
export type FacetName = (typeof facetNames)[number]

export interface FacetSources {
  readonly facts: DatasetFacts
  readonly passes: Pick<RowPasses, 'countFacts'>
  readonly tags: readonly TagWords[]
  readonly own: OwnValues
}

/** Nobody looks through more; those with the fewest works are left out. */
const maxValues = 1000

/**
 * @param mask the rows that count; all if undefined
 * @param only the lists that are wanted
 */
export async function countFacets<Name extends FacetName>(
  { facts, passes: rowPasses, tags: tagWords, own }: FacetSources,
  mask: RowMask | undefined,
  only: readonly Name[],
  signal?: AbortSignal,
): Promise<Pick<Facets, Name>> {
  const counts = await rowPasses.countFacts({ mask, signal })
  const isCounted = (row: number) => mask === undefined || passes(mask, row)
  const countOf = (rows: Uint32Array) => rows.reduce((sum, row) => sum + Number(isCounted(row)), 0)
  const ordered = (counted: readonly Facet[]) =>
    counted
      .filter(({ count }) => count > 0)
      .sort(inOrder)
      .slice(0, maxValues)
  const facetsOf = (
    lists: NamedRows,
    describe: (value: string) => Omit<Facet, 'count'> = (value) => ({ value }),
  ) =>
    ordered(
      Array.from(lists.keys(), (value) => {
        const count = counts[lists.numberOf(value) ?? -1] ?? countOf(lists.get(value) ?? noRows)
        return { ...describe(value), count }
      }),
    )
  const rangeOf = (values: Uint16Array | Float32Array | Float64Array, isKnown: IsKnown) => {
    let [from, to] = [Infinity, -Infinity]
    values.forEach((value, row) => {
      if (!isKnown(value) || !isCounted(row)) return
      from = Math.min(from, value)
      to = Math.max(to, value)
    })
    return from > to ? { from: null, to: null } : { from, to }
  }
  const isNumber: IsKnown = (value) => !Number.isNaN(value)

  // Lists are by values in lower case; people read them as written.
  const written = new Map(
    [...facts.names.genres, ...facts.names.studios].map((name) => [name.toLowerCase(), name]),
  )
  const asWritten = (value: string) => ({ value: written.get(value) ?? value })
  const known = new Map(tagWords.map((tag) => [tag.tag, tag]))
  const ownFacet = ({ name, kind }: Filterable): OwnFacet => {
    if (kind !== 'text') return rangeOf(own.numbers(name) ?? new Float64Array(), isNumber)
    const lists = [...own.texts(name).values()]
    return { values: ordered(lists.map(({ value, rows }) => ({ value, count: countOf(rows) }))) }
  }
  const count: { readonly [Name in FacetName]: () => Facets[Name] } = {
    types: () => facetsOf(facts.types),
    years: () => rangeOf(facts.years, (year) => year > 0),
    scores: () => rangeOf(facts.scores, isNumber),
    audiences: () => facetsOf(facts.audiences),
    genres: () => facetsOf(facts.genres, asWritten),
    tags: () =>
      facetsOf(facts.tags, (value) => {
        const { name, family } = known.get(value) ?? {}
        return { value, ...(name && { name }), ...(family && { family }) }
      }),
    studios: () => facetsOf(facts.studios, asWritten),
    where: () => Object.fromEntries(own.fields.map((field) => [field.name, ownFacet(field)])),
  }
  return Object.fromEntries(only.map((name) => [name, count[name]()])) as Pick<Facets, Name>
}

const noRows = new Uint32Array(0)

type IsKnown = (value: number) => boolean

/** The most first, then by value. */
export const inOrder = (one: Facet, other: Facet): number =>
  other.count - one.count || compare(one.value, other.value)

const compare = (one: string, other: string) => (one < other ? -1 : Number(one > other))
