/** What the works of a dataset can be filtered by, with the number of works that have each value. */
import type { DatasetFacts, NamedRows } from '../facts/dataset-facts.js'
import type { TagWords } from '../reader/lexicon.js'
import { passes, type RowMask } from '../../base/util/row-mask.js'

interface Facet {
  /** What a filter takes. */
  readonly value: string
  /** For people, where that differs. */
  readonly name?: string
  /** What kind of tag it is. */
  readonly family?: string
  readonly count: number
}

export interface Facets {
  readonly types: readonly Facet[]
  /** The first and the last year in which a work began; null where no year is known. */
  readonly years: { readonly from: number | null; readonly to: number | null }
  /** The lowest and the highest average rating; null where none is known. */
  readonly scores: { readonly from: number | null; readonly to: number | null }
  readonly audiences: readonly Facet[]
  readonly genres: readonly Facet[]
  readonly tags: readonly Facet[]
  readonly studios: readonly Facet[]
}

/** Nobody looks through more; those with the fewest works are left out. */
const maxValues = 1000

/** @param mask the rows that count; all if undefined */
export function countFacets(
  facts: DatasetFacts,
  tagWords: readonly TagWords[],
  mask: RowMask | undefined,
): Facets {
  const isCounted = (row: number) => mask === undefined || passes(mask, row)
  const countOf = (rows: Uint32Array) => rows.reduce((sum, row) => sum + Number(isCounted(row)), 0)
  const facetsOf = (
    lists: NamedRows,
    describe: (value: string) => Omit<Facet, 'count'> = (value) => ({ value }),
  ) =>
    [...lists]
      .map(([value, rows]) => ({ ...describe(value), count: countOf(rows) }))
      .filter(({ count }) => count > 0)
      .sort((one, other) => other.count - one.count || compare(one.value, other.value))
      .slice(0, maxValues)

  // Lists are by values in lower case; people read them as written.
  const written = new Map(
    [...facts.names.genres, ...facts.names.studios].map((name) => [name.toLowerCase(), name]),
  )
  const asWritten = (value: string) => ({ value: written.get(value) ?? value })
  const known = new Map(tagWords.map((tag) => [tag.tag, tag]))
  return {
    types: facetsOf(facts.types),
    years: rangeOf(facts.years.filter((year, row) => year > 0 && isCounted(row))),
    scores: rangeOf(facts.scores.filter((score, row) => !Number.isNaN(score) && isCounted(row))),
    audiences: facetsOf(facts.audiences),
    genres: facetsOf(facts.genres, asWritten),
    tags: facetsOf(facts.tags, (value) => {
      const { name, family } = known.get(value) ?? {}
      return { value, ...(name && { name }), ...(family && { family }) }
    }),
    studios: facetsOf(facts.studios, asWritten),
  }
}

const compare = (one: string, other: string) => (one < other ? -1 : Number(one > other))

function rangeOf(values: Uint16Array | Float32Array): Facets['years'] {
  const sorted = values.toSorted()
  return { from: sorted[0] ?? null, to: sorted.at(-1) ?? null }
}
