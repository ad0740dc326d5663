/** The whole query, and the address that holds it. */

/** `anime`, `manga`, or a dataset of the operator's own. */
export type DatasetName = string
/** Texts in some datasets of the operator's own. */
export type EntryId = number | string
/** Begin and end in the text, in UTF-16 units. */
type Span = readonly [begin: number, end: number]
/** How a value is wanted: `all` must be there, of `any` one must be there, `none` must not. */
export type Mode = 'all' | 'any' | 'none'
export type ChosenValues = Readonly<Record<string, Mode>>

/** Which title of a work is shown. */
export const titleLanguages = ['english', 'romaji', 'native'] as const
export type TitleLanguage = (typeof titleLanguages)[number]
export const sortOrders = ['fit', 'year', 'rating', 'popularity'] as const
export type SortOrder = (typeof sortOrders)[number]

export interface Filters {
  readonly types: readonly string[]
  readonly audiences: readonly string[]
  readonly studios: readonly string[]
  readonly genres: ChosenValues
  readonly tags: ChosenValues
  readonly yearFrom: number | undefined
  readonly yearTo: number | undefined
  readonly minScore: number | undefined
  readonly adult: boolean
  readonly lightNovels: boolean
}

export interface Query {
  /** What is searched; of a search of both, the dataset of the open work. */
  readonly dataset: DatasetName
  readonly both: boolean
  readonly text: string
  readonly titles: TitleLanguage
  readonly sort: SortOrder
  /** Works that the results should be like, and those that they should be unlike. */
  readonly more: readonly EntryId[]
  readonly less: readonly EntryId[]
  /** Whether the results are chosen by the list that this browser keeps. */
  readonly forMe: boolean
  readonly filters: Filters
  /** Readings that were taken away. */
  readonly ignore: readonly Span[]
  /** The work whose page is open. */
  readonly work: EntryId | undefined
}

export const noFilters: Filters = {
  types: [],
  audiences: [],
  studios: [],
  genres: {},
  tags: {},
  yearFrom: undefined,
  yearTo: undefined,
  minScore: undefined,
  adult: false,
  lightNovels: false,
}

const modes: readonly Mode[] = ['all', 'any', 'none']

export function toSearch(query: Query): string {
  const { dataset, both, text, filters, ignore, work, titles, sort, more, less, forMe } = query
  const parameters = new URLSearchParams()
  const add = (name: string, value: string | number | undefined) => {
    if (value !== undefined && value !== '') parameters.append(name, String(value))
  }
  if (both) add('in', 'both')
  else if (dataset !== 'anime') add('in', dataset)
  if (both && work !== undefined && dataset !== 'anime') add('of', dataset)
  add('work', work)
  add('q', text)
  if (forMe) add('for', 'me')
  for (const id of more) add('more', id)
  for (const id of less) add('less', id)
  if (sort !== 'fit') add('sort', sort)
  for (const [begin, end] of ignore) add('skip', `${begin}-${end}`)
  for (const type of filters.types) add('type', type)
  for (const audience of filters.audiences) add('audience', audience)
  for (const studio of filters.studios) add('studio', studio)
  for (const [name, chosen] of [['genre', filters.genres] as const, ['tag', filters.tags] as const])
    for (const [value, mode] of Object.entries(chosen)) add(`${name}.${mode}`, value)
  add('from', filters.yearFrom)
  add('to', filters.yearTo)
  add('score', filters.minScore)
  if (filters.adult) add('adult', 1)
  if (filters.lightNovels) add('novels', 1)
  if (titles !== 'english') add('titles', titles)
  const search = parameters.toString()
  return search === '' ? '' : `?${search}`
}

/**
 * Reads any address: what it does not understand is left out.
 * @param preferred the titles that are shown where the address says nothing
 */
export function fromSearch(search: string, preferred: TitleLanguage = 'english'): Query {
  const parameters = new URLSearchParams(search)
  const number = (name: string, low: number, high: number) => {
    const word = parameters.get(name) ?? ''
    const value = Number(word)
    return word !== '' && value >= low && value <= high ? value : undefined
  }
  const whole = (name: string, low: number, high: number) => {
    const value = number(name, low, high)
    return Number.isInteger(value) ? value : undefined
  }
  const list = (name: string) => [...new Set(parameters.getAll(name).filter((word) => word !== ''))]
  const chosen = (name: string): ChosenValues =>
    Object.fromEntries(
      modes.flatMap((mode) => list(`${name}.${mode}`).map((value) => [value, mode])),
    )
  const ids = (name: string) =>
    [...new Set(parameters.getAll(name))].flatMap((word) => idIn(word, dataset) ?? [])
  const both = parameters.get('in') === 'both'
  const dataset = nameIn(parameters.get(both ? 'of' : 'in'))
  return {
    dataset,
    both,
    titles: titleLanguages.find((name) => name === parameters.get('titles')) ?? preferred,
    sort: sortOrders.find((name) => name === parameters.get('sort')) ?? 'fit',
    more: ids('more').slice(0, mostLiked),
    less: ids('less').slice(0, mostLiked),
    forMe: parameters.get('for') === 'me',
    text: (parameters.get('q') ?? '').trim().slice(0, 2000),
    ignore: parameters.getAll('skip').flatMap(readSpan),
    work: idIn(parameters.get('work') ?? '', dataset),
    filters: {
      types: list('type'),
      audiences: list('audience'),
      studios: list('studio'),
      genres: chosen('genre'),
      tags: chosen('tag'),
      yearFrom: whole('from', 1, 9999),
      yearTo: whole('to', 1, 9999),
      minScore: number('score', 0, 10),
      adult: parameters.get('adult') === '1',
      lightNovels: parameters.get('novels') === '1',
    },
  }
}

/** Anime and manga have integers; the server knows what others have, and takes either as text. */
function idIn(word: string, dataset: DatasetName): EntryId | undefined {
  if (/^\d{1,15}$/.test(word)) return Number(word)
  const isOwn = dataset !== 'anime' && dataset !== 'manga'
  return isOwn && word !== '' && word.length <= 200 ? word : undefined
}

const nameIn = (word: string | null): DatasetName =>
  word !== null && /^[a-z][a-z0-9-]{0,39}$/.test(word) ? word : 'anime'

/** Nobody presses a button more often. */
const mostLiked = 50

/** Whether the query has anything to search by. */
export const isEmpty = ({ text, more, less, forMe }: Query): boolean =>
  text === '' && more.length === 0 && less.length === 0 && !forMe

function readSpan(word: string): Span[] {
  const [, begin = '', end = ''] = /^(\d{1,5})-(\d{1,5})$/.exec(word) ?? []
  return begin !== '' && Number(begin) < Number(end) ? [[Number(begin), Number(end)]] : []
}

/** How many filters are set; each value counts. */
export function countFilters(filters: Filters): number {
  const { types, audiences, studios, genres, tags, yearFrom, yearTo, minScore } = filters
  const bounds = [yearFrom, yearTo, minScore].filter((value) => value !== undefined)
  const chosen = [...Object.keys(genres), ...Object.keys(tags)]
  const switches = [filters.adult, filters.lightNovels].filter(Boolean)
  return [types, audiences, studios, bounds, chosen, switches].reduce(
    (sum, { length }) => sum + length,
    0,
  )
}
