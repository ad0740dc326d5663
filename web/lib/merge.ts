/** The answers of one dataset, or of both, as one list of results. */
import type { DatasetName, SortOrder } from './query.js'
import type { Facet, Facets, Reading, Result, SearchAnswer } from './types.js'

export type FoundResult = Result & { readonly dataset: DatasetName }

export interface Found {
  readonly results: readonly FoundResult[]
  /** Results on all pages. */
  readonly total: number
  readonly hasMore: boolean
  readonly readings: readonly Reading[]
  readonly facets: Partial<Facets> | undefined
  readonly warnings: readonly string[]
  /** Where nothing fits well in any dataset: what would help to remember. */
  readonly remember: Remember | undefined
  /** Of a query in another language than English. */
  readonly language: SearchAnswer['language']
  /** Names of works that the query says and no dataset has. */
  readonly unknownNames: readonly string[]
}

export type Remember = NonNullable<SearchAnswer['nothingFits']>['remember']

interface Answered {
  readonly dataset: DatasetName
  readonly answers: readonly SearchAnswer[]
}

/**
 * @param count how many results are shown at most. Of each dataset at least so many came, or all that there are, so
 * the first of both together are among them.
 */
export function merge(all: readonly Answered[], sort: SortOrder, count: number): Found {
  const each = all.map(({ dataset, answers }) => {
    const seen = new Set<number>()
    return answers
      .flatMap(({ results }) => results)
      .filter(({ id }) => !seen.has(id) && seen.add(id))
      .map((result): FoundResult => ({ ...result, dataset }))
  })
  const valueOf = values[sort]
  const results =
    each.length < 2
      ? (each[0] ?? [])
      : each.flat().sort((one, other) => valueOf(other) - valueOf(one))
  const firsts = all.flatMap(({ answers }) => answers.slice(0, 1))
  const total = firsts.reduce((sum, { pagination }) => sum + (pagination?.totalResults ?? 0), 0)
  const reachable = firsts.reduce(
    (sum, { pagination }) => sum + (pagination?.reachableResults ?? 0),
    0,
  )
  const shown = results.slice(0, count)
  return {
    results: shown,
    total,
    hasMore: shown.length < reachable,
    readings: firsts[0]?.interpretation?.readings ?? [],
    facets: mergeFacets(firsts.flatMap(({ facets }) => facets ?? [])),
    warnings: [...new Set(firsts.flatMap(({ warnings = [] }) => warnings))],
    remember: firsts.every(({ nothingFits }) => nothingFits !== undefined)
      ? firsts[0]?.nothingFits?.remember
      : undefined,
    language: firsts.find(({ language }) => language !== undefined)?.language,
    // Named in one dataset is known.
    unknownNames: namesOf(firsts[0]).filter((name) =>
      firsts.every((answer) => namesOf(answer).includes(name)),
    ),
  }
}

const namesOf = (answer: SearchAnswer | undefined): readonly string[] =>
  answer?.interpretation?.unknownNames ?? []

const values: Readonly<Record<SortOrder, (result: Result) => number>> = {
  fit: ({ score }) => score,
  year: ({ year }) => year ?? -Infinity,
  rating: ({ score10 }) => score10 ?? -Infinity,
  popularity: ({ popularityRank }) => -(popularityRank ?? Infinity),
}

function mergeFacets(all: readonly Partial<Facets>[]): Partial<Facets> | undefined {
  const [first, ...others] = all
  if (first === undefined || others.length === 0) return first
  const sums = (name: 'types' | 'audiences' | 'genres' | 'tags' | 'studios') => {
    const counts = new Map<string, Facet>()
    for (const facet of all.flatMap((facets) => facets[name] ?? [])) {
      const known = counts.get(facet.value)
      counts.set(facet.value, { ...facet, count: facet.count + (known?.count ?? 0) })
    }
    return [...counts.values()].sort((one, other) => other.count - one.count)
  }
  return {
    types: sums('types'),
    audiences: sums('audiences'),
    genres: sums('genres'),
    tags: sums('tags'),
    studios: sums('studios'),
  }
}
