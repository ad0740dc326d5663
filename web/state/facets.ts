/** What can be filtered by, with counts: requested once for each dataset. */
import { effect, signal } from '@preact/signals'
import { fetchFacets } from '../lib/api.js'
import { key } from '../lib/key.js'
import type { DatasetName } from '../lib/query.js'
import { has } from '../lib/server.js'
import type { Facets } from '../lib/types.js'
import { query } from './navigation.js'

export const facets = signal<Readonly<Partial<Record<DatasetName, Facets>>>>({})
const requested = new Set<string>()

effect(() => {
  const { dataset } = query.value
  // A server that asked for a key may answer with this one.
  const request = `${dataset} ${key.value}`
  if (requested.has(request) || !has('browse')) return
  requested.add(request)
  fetchFacets(dataset, new AbortController().signal).then(
    (found) => (facets.value = { ...facets.value, [dataset]: found }),
    // Filters without counts are left out; the next visit asks again.
    () => requested.delete(request),
  )
})

/** Name and family of a tag as the facets have them. */
export function tagFacet(tag: string): Facets['tags'][number] | undefined {
  return facets.value[query.value.dataset]?.tags.find(({ value }) => value === tag)
}
