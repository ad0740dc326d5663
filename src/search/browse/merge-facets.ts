/** The counts of several datasets as those of one. */
import { type Facet, type Facets, type FacetRange, inOrder } from './facets.js'

const lists = ['types', 'audiences', 'genres', 'tags', 'studios'] as const
const ranges = ['years', 'scores'] as const

type Own = Facets['where'][string]

/** @param all with the same members */
export function mergeFacets(all: readonly Partial<Facets>[]): Partial<Facets> {
  const [first = {}] = all
  return {
    ...Object.fromEntries(
      lists
        .filter((name) => name in first)
        .map((name) => [name, mergeLists(all.flatMap((one) => [...(one[name] ?? [])]))]),
    ),
    ...Object.fromEntries(
      ranges
        .filter((name) => name in first)
        .map((name) => [name, mergeRanges(all.map((one) => one[name] ?? unknown))]),
    ),
    ...('where' in first && { where: mergeOwn(all.map(({ where = {} }) => where)) }),
  }
}

const unknown: FacetRange = { from: null, to: null }

function mergeLists(all: readonly Facet[]): readonly Facet[] {
  const byValue = new Map<string, Facet>()
  for (const facet of all) {
    const known = byValue.get(facet.value)
    byValue.set(facet.value, { ...facet, count: facet.count + (known?.count ?? 0) })
  }
  return [...byValue.values()].sort(inOrder)
}

function mergeRanges(all: readonly FacetRange[]): FacetRange {
  const numbers = all.flatMap(({ from, to }) => [from, to]).filter((number) => number !== null)
  return numbers.length === 0
    ? { from: null, to: null }
    : { from: Math.min(...numbers), to: Math.max(...numbers) }
}

function mergeOwn(all: readonly Facets['where'][]): Facets['where'] {
  const names = new Set(all.flatMap((own) => Object.keys(own)))
  return Object.fromEntries(
    [...names].map((name): [string, Own] => {
      const own = all.flatMap((one) => one[name] ?? [])
      const texts = own.flatMap(({ values }) => (values === undefined ? [] : [values]))
      return texts.length > 0
        ? [name, { values: mergeLists(texts.flat()) }]
        : [name, mergeRanges(own.map(({ from = null, to = null }) => ({ from, to })))]
    }),
  )
}
