/** The query that is shown, kept in the address: back, reload and sharing work. */
import { batch, signal } from '@preact/signals'
import {
  fromSearch,
  noFilters,
  toSearch,
  type EntryId,
  type Filters,
  type Query,
  type TitleLanguage,
} from '../lib/query.js'
import { datasets } from '../lib/server.js'
import { keepTitles, keptTitles } from '../lib/storage.js'

/** A dataset that is not there is the first one. */
function read(): Query {
  const found = fromSearch(location.search, keptTitles())
  const [first = 'anime'] = datasets
  return datasets.includes(found.dataset) ? found : { ...found, dataset: first }
}

export const query = signal<Query>(read())
/** The text of the box, sent or not. */
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
  batch(() => {
    pages.value = shown
    query.value = next
    draft.value = next.text
  })
}

addEventListener('popstate', () => show(read(), readStep().pages))

/** A new search is not refined by the works of the one before. */
const clear: Partial<Query> = { more: [], less: [] }

/** Another text has other readings, so none of them is taken away any more. */
export function searchFor(text: string, change: Partial<Query> = {}): void {
  const trimmed = text.trim()
  const ignore = trimmed === query.value.text ? query.value.ignore : []
  draft.value = trimmed
  navigate({ text: trimmed, ignore, work: undefined, ...(trimmed !== '' && clear), ...change })
}

export function changeFilters(change: Partial<Filters>): void {
  navigate({ filters: { ...query.value.filters, ...change } })
}

/** What a dataset can be filtered by differs from the other's. */
export function switchDataset(dataset: Query['dataset']): void {
  const { adult } = query.value.filters
  navigate({
    dataset: dataset === 'both' ? (datasets[0] ?? 'anime') : dataset,
    both: dataset === 'both',
    work: undefined,
    ignore: [],
    more: [],
    less: [],
    filters: { ...noFilters, adult },
  })
}

/** Results that are like a work, or unlike it, in addition to the current query. */
export function refine(dataset: Query['dataset'], id: EntryId, how: 'more' | 'less'): void {
  const { more, less, work, both } = query.value
  const own = both && query.value.dataset !== dataset ? { more: [], less: [] } : { more, less }
  const without = (ids: readonly EntryId[]) => ids.filter((other) => other !== id)
  navigate({
    dataset,
    both: false,
    more: how === 'more' ? [...without(own.more), id] : without(own.more),
    less: how === 'less' ? [...without(own.less), id] : without(own.less),
    // On the page of a work, the results are those of the work alone.
    ...(work !== undefined && { work: undefined, text: '', more: [id], less: [] }),
  })
}

/** Chosen once: the next visit has it, too. */
export function chooseTitles(titles: TitleLanguage): void {
  keepTitles(titles)
  navigate({ titles })
}

/** The address that `navigate(change)` leads to, for links. */
export const hrefOf = (change: Partial<Query>): string =>
  toSearch({ ...query.value, ...change }) || './'
