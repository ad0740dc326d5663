/** Requests to this server. Addresses are relative to the page, so it works behind a prefix. */
import { key, keyHeaders } from './key.js'
import type { DatasetName, Filters, Query, Wishes } from './query.js'
import type {
  CompletedTitle,
  Entry,
  Facets,
  MapData,
  Problem,
  SearchAnswer,
  SearchRequest,
  Similar,
} from './types.js'

/** The server answered with a problem, or did not answer at all. */
export class RequestError extends Error {
  override readonly name = 'RequestError'
  /** When it came; tells one from the next. */
  readonly at = performance.now()

  /**
   * @param problem undefined if no answer came, or one that is not this server's
   * @param waitSeconds how long the server asks to wait before the next request
   */
  constructor(
    message: string,
    readonly problem?: Problem,
    readonly waitSeconds?: number,
  ) {
    super(message)
  }

  /** The stable last part of the problem's type; `offline` without an answer. */
  get kind(): string {
    return this.problem?.type.split(':').at(-1) ?? 'offline'
  }
}

async function request<T>(path: string, init: RequestInit): Promise<T> {
  const headers = { ...(init.headers as Record<string, string>), ...keyHeaders() }
  const response = await fetch(path, { ...init, headers }).catch((cause: unknown) => {
    if (init.signal?.aborted) throw cause
    throw new RequestError('The server does not answer.')
  })
  if (response.ok) return (await response.json()) as T
  const wait = Number(response.headers.get('retry-after') ?? Number.NaN)
  const problem = (await response.json().catch(() => undefined)) as Problem | undefined
  const message = problem?.detail ?? `The server answered with status ${response.status}.`
  throw new RequestError(message, problem, Number.isFinite(wait) ? wait : undefined)
}

const get = <T>(path: string, signal: AbortSignal) =>
  request<T>(path, { signal, headers: { Accept: 'application/json' } })

export const fetchTitles = async (
  dataset: DatasetName,
  { prefix, adult }: { readonly prefix: string; readonly adult: boolean },
  signal: AbortSignal,
): Promise<readonly CompletedTitle[]> => {
  const query = new URLSearchParams({ prefix, limit: '7', ...(adult && { adult: 'true' }) })
  return (await get<{ titles: CompletedTitle[] }>(`titles/${dataset}?${query}`, signal)).titles
}

export const fetchFacets = (dataset: DatasetName, signal: AbortSignal): Promise<Facets> =>
  get(`facets/${dataset}`, signal)

export const fetchEntry = (dataset: DatasetName, id: number, signal: AbortSignal): Promise<Entry> =>
  get(`entries/${dataset}/${id}`, signal)

export const fetchSimilar = async (
  { dataset, filters }: Pick<Query, 'dataset' | 'filters'>,
  id: number,
  signal: AbortSignal,
): Promise<readonly Similar[]> => {
  const query = new URLSearchParams({
    resultsPerPage: '8',
    ...(!filters.adult && { adult: 'false' }),
  })
  return (await get<{ results: Similar[] }>(`similar/${dataset}/${id}?${query}`, signal)).results
}

export const fetchMap = (
  dataset: DatasetName,
  adult: boolean,
  signal: AbortSignal,
): Promise<MapData> => get(`map/${dataset}${adult ? '?adult=true' : ''}`, signal)

const resultsPerPage = 10

export interface SearchCall {
  /** Relative to the page. */
  readonly path: string
  readonly body: SearchRequest
}

export function searchCall({ dataset, text, filters, ignore }: Query, page: number): SearchCall {
  const novels = filters.lightNovels ? '?include_light_novels=true' : ''
  return {
    path: `search/${dataset}${novels}`,
    body: {
      query: text,
      num_results: resultsPerPage,
      page,
      group: 'franchise',
      fields: 'all',
      explain: true,
      ...(ignore.length > 0 && { ignore: ignore.map(([begin, end]) => [begin, end]) }),
      ...filterMembers(filters),
    },
  }
}

function filterMembers(filters: Filters): Partial<SearchRequest> {
  const { types, audiences, studios, yearFrom, yearTo, minScore, adult } = filters
  return {
    adult,
    ...(types.length > 0 && { type: [...types] }),
    ...(audiences.length > 0 && { audience: [...audiences] }),
    ...(studios.length > 0 && { studio: [...studios] }),
    ...members('genres', filters.genres),
    ...members('tags', filters.tags),
    ...(yearFrom !== undefined && { yearFrom }),
    ...(yearTo !== undefined && { yearTo }),
    ...(minScore !== undefined && { minScore }),
  }
}

/** Wishes as the lists `all`, `any` and `none` of a member; nothing without a wish. */
function members(name: string, wishes: Wishes): object {
  const lists: Partial<Record<string, string[]>> = {}
  for (const [value, mode] of Object.entries(wishes)) (lists[mode] ??= []).push(value)
  return Object.keys(lists).length > 0 ? { [name]: lists } : {}
}

export const fetchSearch = (
  { path, body }: SearchCall,
  signal: AbortSignal,
): Promise<SearchAnswer> =>
  request(path, {
    method: 'POST',
    signal,
    headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
    body: JSON.stringify(body),
  })

/** Tells the server which result was meant. */
export const sendFeedback = (
  { dataset, text }: Query,
  { work, rank }: { readonly work: number; readonly rank: number },
): Promise<unknown> =>
  request(`feedback/${dataset}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
    body: JSON.stringify({ query: text, work, rank }),
  })

/** The same request for a terminal. */
export function asCurl({ path, body }: SearchCall): string {
  const address = new URL(path, document.baseURI).href
  const json = JSON.stringify(body).replaceAll("'", String.raw`'\''`)
  // Not the key itself: people share what they copy.
  const bearer = key.value === '' ? '' : ' -H "Authorization: Bearer $SYNOPTIC_KEY"'
  return `curl '${address}'${bearer} -H 'Content-Type: application/json' -d '${json}'`
}
