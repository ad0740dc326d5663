/** Requests to this server. Addresses are relative to the page, so it works behind a prefix. */
import { key, keyHeaders } from './key.js'
import type { DatasetName, EntryId, Filters, Query, TitleLanguage, ChosenValues } from './query.js'
import type {
  CompletedTitle,
  Entry,
  Facets,
  MapData,
  Problem,
  RecommendRequest,
  SearchAnswer,
  SearchRequest,
  Similar,
  UserList,
} from './types.js'

/** The server answered with a problem, or did not answer at all. */
export class RequestError extends Error {
  override readonly name = 'RequestError'
  /** When it came; distinguishes one from the next. */
  readonly at = performance.now()

  /**
   * @param problem undefined if no answer came, or one that is not this server's
   * @param waitSeconds how long the server requires to wait before the next request
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
    throw new RequestError('The connection failed.')
  })
  if (response.ok) return (await response.json()) as T
  const wait = Number(response.headers.get('retry-after') ?? Number.NaN)
  const problem = (await response.json().catch(() => undefined)) as Problem | undefined
  const message = problem?.detail ?? `The server answered with status ${response.status}.`
  throw new RequestError(message, problem, Number.isFinite(wait) ? wait : undefined)
}

const get = <T>(path: string, signal: AbortSignal) =>
  request<T>(path, { signal, headers: { Accept: 'application/json' } })

interface TitlesCall {
  readonly prefix: string
  readonly adult: boolean
  readonly titles: TitleLanguage
}

export const fetchTitles = async (
  dataset: DatasetName,
  { prefix, adult, titles }: TitlesCall,
  signal: AbortSignal,
): Promise<readonly CompletedTitle[]> => {
  const query = new URLSearchParams({ prefix, titles, limit: '7', ...(adult && { adult: 'true' }) })
  return (await get<{ titles: CompletedTitle[] }>(`titles/${dataset}?${query}`, signal)).titles
}

export const fetchFacets = (dataset: DatasetName, signal: AbortSignal): Promise<Facets> =>
  get(`facets/${dataset}`, signal)

export const fetchEntry = (
  { dataset, titles }: Pick<Query, 'dataset' | 'titles'>,
  id: EntryId,
  signal: AbortSignal,
): Promise<Entry> => get(`entries/${dataset}/${encodeURIComponent(id)}?titles=${titles}`, signal)

/** Entries by their ids at a site, of a list. */
export const fetchIds = async (
  dataset: DatasetName,
  site: 'mal' | 'anilist',
  ids: readonly number[],
): Promise<readonly { readonly siteId: number; readonly id: number }[]> => {
  const found = await request<{ works: { siteId: number; id: number }[] }>(`ids/${dataset}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
    body: JSON.stringify({ site, ids }),
  })
  return found.works
}

/** The works on the public lists of an AniList user. */
export const fetchUserList = (dataset: DatasetName, anilistUser: string): Promise<UserList> =>
  request(`lists/${dataset}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
    body: JSON.stringify({ anilistUser }),
  })

export const fetchSimilar = async (
  { dataset, filters, titles }: Pick<Query, 'dataset' | 'filters' | 'titles'>,
  id: EntryId,
  signal: AbortSignal,
): Promise<readonly Similar[]> => {
  const query = new URLSearchParams({
    resultsPerPage: '8',
    titles,
    ...(!filters.adult && { adult: 'false' }),
  })
  return (
    await get<{ results: Similar[] }>(
      `similar/${dataset}/${encodeURIComponent(id)}?${query}`,
      signal,
    )
  ).results
}

export const fetchMap = (
  dataset: DatasetName,
  adult: boolean,
  signal: AbortSignal,
): Promise<MapData> => get(`map/${dataset}${adult ? '?adult=true' : ''}`, signal)

export const resultsPerPage = 10

export interface SearchCall {
  readonly dataset: DatasetName
  /** Relative to the page. */
  readonly path: string
  readonly body: SearchRequest | RecommendRequest
}

/** What this browser knows of the works that somebody has seen and liked. */
export interface Known {
  readonly liked: readonly WeightedWork[]
  readonly disliked: readonly WeightedWork[]
  /** Ids that are not shown. */
  readonly hidden: readonly number[]
}

export interface WeightedWork {
  readonly id: number
  readonly weight: number
}

/** The request for a page of results: a search, or recommendations where works are liked or disliked. */
export function searchCall(
  query: Query,
  { dataset, page }: { readonly dataset: DatasetName; readonly page: number },
  known: Known,
): SearchCall {
  const { text, filters, ignore, titles, sort, more, less, forMe } = query
  const shown = {
    num_results: resultsPerPage,
    page,
    group: 'franchise',
    fields: 'all',
    sort,
    ...(page === 1 && { facets: true }),
    ...filterMembers(filters),
  } as const
  if (forMe || more.length + less.length > 0) {
    const body: RecommendRequest = {
      ...(text !== '' && { query: text }),
      liked: [...more.map(refined), ...(forMe ? known.liked : [])],
      disliked: [...less.map(refined), ...(forMe ? known.disliked : [])],
      seen: [...known.hidden],
      ...shown,
    }
    return { dataset, path: `recommend/${dataset}?titles=${titles}`, body }
  }
  const novels = filters.lightNovels ? '&include_light_novels=true' : ''
  const body: SearchRequest = {
    query: text,
    explain: true,
    // The page blurs them until somebody wants to see one.
    spoilers: true,
    ...(ignore.length > 0 && { ignore: ignore.map(([begin, end]) => [begin, end]) }),
    ...(known.hidden.length > 0 && { exclude: [...known.hidden] }),
    ...shown,
  }
  return { dataset, path: `search/${dataset}?titles=${titles}${novels}`, body }
}

/** A work that was picked here counts as much as the best of a list. */
/** The types are those of anime and manga; a dataset with texts for ids takes texts. */
const refined = (id: EntryId): WeightedWork => ({ id: id as number, weight: 3 })

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

/** The chosen values as the lists `all`, `any` and `none` of a member; nothing without a value. */
function members(name: string, chosen: ChosenValues): object {
  const lists: Partial<Record<string, string[]>> = {}
  for (const [value, mode] of Object.entries(chosen)) (lists[mode] ??= []).push(value)
  return Object.keys(lists).length > 0 ? { [name]: lists } : {}
}

export const fetchSearch = (
  { path, body }: Pick<SearchCall, 'path' | 'body'>,
  signal: AbortSignal,
): Promise<SearchAnswer> =>
  request(path, {
    method: 'POST',
    signal,
    headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
    body: JSON.stringify(body),
  })

/** Reports to the server which result was the right one. */
export const sendFeedback = (
  { dataset, text }: Pick<Query, 'dataset' | 'text'>,
  { work, rank }: { readonly work: number; readonly rank: number },
): Promise<unknown> =>
  request(`feedback/${dataset}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
    body: JSON.stringify({ query: text, work, rank }),
  })

/** The same request for a terminal. */
export function asCurl({ path, body }: Pick<SearchCall, 'path' | 'body'>): string {
  const address = new URL(path, document.baseURI).href
  const json = JSON.stringify(body).replaceAll("'", String.raw`'\''`)
  // Not the key itself: people share what they copy.
  const bearer = key.value === '' ? '' : ' -H "Authorization: Bearer $SYNOPTIC_KEY"'
  return `curl '${address}'${bearer} -H 'Content-Type: application/json' -d '${json}'`
}
