/** What can be filtered by, with counts: requested once for each dataset. */
import { effect, signal } from '@preact/signals'
import { fetchFacets } from '../lib/api.js'
import { key } from '../lib/key.js'
import type { DatasetName } from '../lib/query.js'
import { datasets, has } from '../lib/server.js'
import type { Facets } from '../lib/types.js'
import { query } from './navigation.js'

const facets = signal<Readonly<Partial<Record<DatasetName, Facets>>>>({})
const requested = new Set<string>()

effect(() => {
  const { both, dataset } = query.value
  for (const each of both ? datasets : [dataset]) load(each)
})

function load(dataset: DatasetName): void {
  // A server that needs a key may answer with this one.
  const request = `${dataset} ${key.value}`
  if (requested.has(request) || !has('browse')) return
  requested.add(request)
  fetchFacets(dataset, new AbortController().signal).then(
    (found) => (facets.value = { ...facets.value, [dataset]: found }),
    // Filters without counts are left out; the next visit requests them again.
    () => requested.delete(request),
  )
}

/** Name and family of a tag as the facets have them. */
export function tagFacet(tag: string): Facets['tags'][number] | undefined {
  return offered().tags?.find(({ value }) => value === tag)
}

/** What the works of what is searched have, with their number among the results where these say so. */
export function offered(
  counted?: Partial<Facets>,
): Partial<Facets> & { readonly isCounted: boolean } {
  const { both, dataset } = query.value
  const known = facets.value[dataset]
  const others = both
    ? datasets.flatMap((name) => (name === dataset ? [] : (facets.value[name] ?? [])))
    : []
  if (known === undefined) return { ...counted, isCounted: counted !== undefined }
  const listOf = (name: ListName) => {
    const all = new Map(
      [...known[name], ...others.flatMap((one) => one[name])].map((facet) => [facet.value, facet]),
    )
    if (counted === undefined) return [...all.values()]
    const own = counted[name] ?? []
    const inResults = new Set(own.map(({ value }) => value))
    const rest = [...all.values()].filter(({ value }) => !inResults.has(value))
    return [...own, ...rest.map((facet) => ({ ...facet, count: 0 }))]
  }
  return {
    ...known,
    types: listOf('types'),
    audiences: listOf('audiences'),
    genres: listOf('genres'),
    tags: listOf('tags'),
    studios: listOf('studios'),
    isCounted: counted !== undefined,
  }
}

type ListName = 'types' | 'audiences' | 'genres' | 'tags' | 'studios'
