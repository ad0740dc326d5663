/** The query that is shown, kept in the address: back, reload and sharing work. */
import { signal } from '@preact/signals'
import { fromSearch, noFilters, toSearch, type Filters, type Query } from '../lib/query.js'

export const query = signal<Query>(fromSearch(location.search))
/** What stands in the box, sent or not. */
export const draft = signal(query.value.text)
/** How many pages of results are shown; kept with the step of the history. */
export const pages = signal(readPages())

function readPages(): number {
  const state: unknown = history.state
  const shown = typeof state === 'object' && state !== null && 'pages' in state ? state.pages : 1
  return typeof shown === 'number' && shown >= 1 ? shown : 1
}

export function navigate(change: Partial<Query>): void {
  const next = { ...query.value, ...change }
  const search = toSearch(next)
  if (search === location.search) return
  history.pushState({ pages: 1 }, '', search === '' ? location.pathname : search)
  show(next, 1)
  window.scrollTo({ top: 0 })
}

export function showMore(): void {
  pages.value += 1
  history.replaceState({ pages: pages.value }, '')
}

function show(next: Query, shown: number): void {
  pages.value = shown
  query.value = next
  draft.value = next.text
}

addEventListener('popstate', () => show(fromSearch(location.search), readPages()))

/** Another text has other readings, so none of them is taken away any more. */
export function searchFor(text: string, change: Partial<Query> = {}): void {
  const trimmed = text.trim()
  const ignore = trimmed === query.value.text ? query.value.ignore : []
  draft.value = trimmed
  navigate({ text: trimmed, ignore, work: undefined, ...change })
}

export function changeFilters(change: Partial<Filters>): void {
  navigate({ filters: { ...query.value.filters, ...change } })
}

/** What a dataset can be filtered by differs from the other's. */
export function switchDataset(dataset: Query['dataset']): void {
  const { adult } = query.value.filters
  navigate({ dataset, work: undefined, ignore: [], filters: { ...noFilters, adult } })
}

/** The address that `navigate(change)` leads to, for links. */
export const hrefOf = (change: Partial<Query>): string =>
  toSearch({ ...query.value, ...change }) || './'
