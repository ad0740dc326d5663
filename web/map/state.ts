/** What the map shows: its address, its data, where one looks, and what a search highlights. */
import { batch, computed, effect, signal } from '@preact/signals'
import { fetchMap, fetchSearch, RequestError } from '../lib/api.js'
import { fromSearch, type DatasetName, type TitleLanguage } from '../lib/query.js'
import { keptTitles } from '../lib/storage.js'
import { datasets } from '../lib/server.js'
import type { ColourBy } from './colours.js'
import { createPoints, type Points } from './points.js'
import { whole, type View } from './view.js'

/** What the address says. */
export interface MapView {
  readonly dataset: DatasetName
  /** A search whose results are highlighted. */
  readonly text: string
  readonly by: ColourBy
  readonly adult: boolean
  /** A work that is pointed at. */
  readonly work: number | undefined
  /** The language of titles. */
  readonly titles: TitleLanguage
}

function readAddress(): MapView {
  const parameters = new URLSearchParams(location.search)
  const [first = 'anime'] = datasets
  const named = datasets.find((name) => name === parameters.get('in'))
  const work = Number(parameters.get('work') ?? NaN)
  return {
    dataset: named ?? first,
    text: (parameters.get('q') ?? '').trim().slice(0, 2000),
    by: parameters.get('by') === 'year' ? 'year' : 'family',
    adult: parameters.get('adult') === '1',
    work: Number.isSafeInteger(work) ? work : undefined,
    titles: fromSearch(location.search, keptTitles()).titles,
  }
}

export function toAddress({ dataset, text, by, adult, work, titles }: MapView): string {
  const parameters = new URLSearchParams()
  if (dataset !== 'anime') parameters.set('in', dataset)
  if (text !== '') parameters.set('q', text)
  if (by !== 'family') parameters.set('by', by)
  if (adult) parameters.set('adult', '1')
  if (work !== undefined) parameters.set('work', String(work))
  if (titles !== (keptTitles() ?? 'english')) parameters.set('titles', titles)
  return `?${parameters}`
}

export const mapView = signal<MapView>(readAddress())

export function ask(change: Partial<MapView>): void {
  const next = { ...mapView.value, ...change }
  if (toAddress(next) === toAddress(mapView.value)) return
  history.pushState(null, '', toAddress(next))
  mapView.value = next
}

addEventListener('popstate', () => (mapView.value = readAddress()))

export type MapState =
  | { readonly status: 'loading' }
  | { readonly status: 'done'; readonly points: Points }
  | { readonly status: 'missing' }
  | { readonly status: 'failed'; readonly error: RequestError }

export const map = signal<MapState>({ status: 'loading' })
export const view = signal<View>(whole)
/** The work under the pointer or with the focus. */
export const pointed = signal<number | undefined>(undefined)

/** Positions of the results that have a point, the best first. */
export interface Found {
  readonly text: string
  readonly works: readonly number[]
}

export const found = signal<Found | undefined>(undefined)
export const searchFault = signal<RequestError | undefined>(undefined)

/** A map that is being made appears within seconds; it is requested again that often. */
const againMs = 5000
const wanted = computed(() => {
  const { dataset, adult } = mapView.value
  return JSON.stringify({ dataset, adult })
})

effect(() => {
  const { dataset, adult } = JSON.parse(wanted.value) as Pick<MapView, 'dataset' | 'adult'>
  const left = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  batch(() => {
    map.value = { status: 'loading' }
    pointed.value = undefined
  })
  const load = () => {
    fetchMap(dataset, adult, left.signal).then(
      (data) => {
        map.value = { status: 'done', points: createPoints(data) }
      },
      (error: unknown) => {
        if (left.signal.aborted) return
        const fault = error instanceof RequestError ? error : new RequestError(String(error))
        map.value =
          fault.kind === 'map-missing' ? { status: 'missing' } : { status: 'failed', error: fault }
        timer = setTimeout(load, againMs)
      },
    )
  }
  load()
  return () => {
    left.abort()
    clearTimeout(timer)
  }
})

/** Results that are highlighted. */
const litResults = 50
/** Sends what failed once more. */
export const searchAgain = (): void => void (tries.value += 1)

const tries = signal(0)
const sought = computed(() => {
  const { dataset, text, adult } = mapView.value
  return JSON.stringify({ dataset, text, adult, tries: tries.value })
})

effect(() => {
  const { dataset, text, adult } = JSON.parse(sought.value) as MapView
  const state = map.value
  batch(() => {
    searchFault.value = undefined
    if (found.peek()?.text !== text) found.value = undefined
  })
  if (text === '' || state.status !== 'done') return
  const { points } = state
  const left = new AbortController()
  const body = { query: text, num_results: litResults, adult }
  fetchSearch({ path: `search/${dataset}`, body }, left.signal).then(
    ({ results }) => {
      const works = results.flatMap(({ id }) => points.find(id) ?? [])
      found.value = { text, works }
    },
    (error: unknown) => {
      if (left.signal.aborted) return
      searchFault.value = error instanceof RequestError ? error : new RequestError(String(error))
    },
  )
  return () => left.abort()
})
