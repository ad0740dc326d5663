/** Titles of works that the page has met, for chips that name a work by its id. */
import { signal } from '@preact/signals'
import { fetchEntry } from '../lib/api.js'
import { has } from '../lib/server.js'
import type { DatasetName, EntryId } from '../lib/query.js'
import { query } from './navigation.js'
import { found } from './search.js'
import { work } from './work.js'

const fetched = signal<ReadonlyMap<string, string>>(new Map())
const requested = new Set<string>()

/** The title, or an ellipsis until it is known. */
export function titleFor(dataset: DatasetName, id: EntryId): string {
  const { titles } = query.value
  const key = `${dataset}/${id}/${titles}`
  const known = fetched.value.get(key)
  if (known !== undefined) return known
  const near = nearby(dataset, id)
  if (near === undefined && !has('browse')) return `work ${id}`
  if (!requested.has(key)) {
    requested.add(key)
    const note = (title: string) => (fetched.value = new Map([...fetched.value, [key, title]]))
    if (near !== undefined) queueMicrotask(() => note(near))
    else {
      fetchEntry({ dataset, titles }, id, new AbortController().signal).then(
        ({ title }) => note(title),
        () => note(`work ${id}`),
      )
    }
  }
  return near ?? '…'
}

/** What the results or the page of a work say. */
function nearby(dataset: DatasetName, id: EntryId): string | undefined {
  const state = work.peek()
  if (state.status === 'done' && state.entry.id === id) return state.entry.title
  return found.peek().results.find((result) => result.dataset === dataset && result.id === id)
    ?.title
}
