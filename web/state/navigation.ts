/** The query that is shown, kept in the address: back, reload and sharing work. */
import { signal } from '@preact/signals'
import { fromSearch, noFilters, toSearch, type Filters, type Query } from '../lib/query.js'

export const query = signal<Query>(fromSearch(location.search))
/** What stands in the box, sent or not. */
export const draft = signal(query.value.text)
/** How many pages of results are shown; kept with the step of the history. */
export const pages = signal(readStep().pages)

/** What is kept with a step of the history. */
interface Step {
  readonly pages: number
  /** How many works were opened one after the other since the results; 0 where a work was the first page. */
  readonly works: number
}

/** What this page has written; a step that it has not has neither. */
function readStep(): Step {
  const { pages = 1, works = 0 } = (history.state ?? {}) as Partial<Step>
  return { pages, works }
}

export function navigate(change: Partial<Query>): void {
  const next = { ...query.value, ...change }
  const search = toSearch(next)
  if (search === location.search) return
  const { work: current } = query.value
  const { works } = readStep()
  const step: Step = {
    pages: 1,
    works: next.work !== undefined && (current === undefined || works > 0) ? works + 1 : 0,
  }
  history.pushState(step, '', search === '' ? location.pathname : search)
  show(next, 1)
  window.scrollTo({ top: 0 })
}

export function showMore(): void {
  pages.value += 1
  history.replaceState({ pages: pages.value, works: 0 } satisfies Step, '')
}

/** Does what the browser's Back does; where the work was the first page, leads to its results. */
export function closeWork(): void {
  if (history.state === null) navigate({ work: undefined })
  else history.back()
}

/** Leads back past all works that were opened since, so that the results are as they were. */
export function backToResults(): void {
  const { works } = readStep()
  if (works === 0) navigate({ work: undefined })
  else history.go(-works)
}

function show(next: Query, shown: number): void {
  pages.value = shown
  query.value = next
  draft.value = next.text
}

addEventListener('popstate', () => show(fromSearch(location.search), readStep().pages))

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
