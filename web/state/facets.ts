/** What can be filtered by, with counts: asked once for each dataset. */
import { effect, signal } from '@preact/signals'
import { fetchFacets } from '../lib/api.js'
import type { DatasetName } from '../lib/query.js'
import { has } from '../lib/server.js'
import type { Facets } from '../lib/types.js'
import { query } from './navigation.js'

export const facets = signal<Readonly<Partial<Record<DatasetName, Facets>>>>({})
const requested = new Set<DatasetName>()

effect(() => {
  const { dataset } = query.value
  if (requested.has(dataset) || !has('browse')) return
  requested.add(dataset)
  fetchFacets(dataset, new AbortController().signal).then(
    (found) => (facets.value = { ...facets.value, [dataset]: found }),
    // Filters without counts are left out; the next visit asks again.
    () => requested.delete(dataset),
  )
})

/** Name and family of a tag as the facets have them. */
export function tagFacet(tag: string): Facets['tags'][number] | undefined {
  return facets.value[query.value.dataset]?.tags.find(({ value }) => value === tag)
}
