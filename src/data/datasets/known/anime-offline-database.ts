/** Rows of anime-offline-database: facts and titles of anime under the addresses of their pages, without texts. */
import { createHash } from 'node:crypto'
import type { Origin } from '../../catalogue/catalogue.js'
import type { RowReader } from '../input.js'
import { readObjects, type JsonObject, type JsonShape } from './json-objects.js'
import { isObject, numberIn, textsIn } from './members.js'

export const origin: Origin = {
  name: 'anime-offline-database',
  url: 'https://github.com/manami-project/anime-offline-database',
  licence: 'ODbL 1.0 and DbCL 1.0',
  licenceUrl: 'https://opendatacommons.org/licenses/odbl/1-0/',
  attribution:
    'Contains information from anime-offline-database (manami-project), which is made available under the ' +
    'Open Database License (ODbL). What you publish of it has to be under the same licence.',
  state: null,
}

/** Members that no other data set has together, and those without which it cannot be used. */
export const markers = [
  'sources',
  'animeSeason',
  'relatedAnime',
  'synonyms',
  'picture',
  'producers',
]
export const needed = ['sources', 'title']

/** Reads the file twice: relatives are named by their pages, whose ids stand anywhere in the file. */
export function rowsOf(file: string, shape: JsonShape): RowReader {
  return async function* rows(onBytes) {
    const idOfPage = new Map<string, number>()
    for await (const { object } of readObjects(file, shape, 'data', () => undefined)) {
      if (object === undefined) continue
      const pages = textsIn(object.sources)
      const id = idOf(pages)
      for (const page of pages) if (id !== null && !idOfPage.has(page)) idOfPage.set(page, id)
    }
    for await (const { line, object } of readObjects(file, shape, 'data', onBytes)) {
      if (object === undefined) {
        yield { line, problem: 'broken JSON' }
      } else if ('sources' in object || 'title' in object) {
        const values = valuesOf(object, idOfPage)
        yield { line, row: (name) => (Object.hasOwn(values, name) ? values[name] : object[name]) }
      }
    }
  }
}

/** The id of a page at a site: the last part of its address, where that is a number. */
function siteId(pages: readonly string[], site: string): number | null {
  for (const page of pages) {
    const [, id] = new RegExp(`//(?:www\\.)?${site}/anime/(\\d{1,9})$`).exec(page) ?? []
    if (id !== undefined) return Number(id)
  }
  return null
}

const mal = 'myanimelist\\.net'
const anilist = 'anilist\\.co'

/** MyAnimeList's id, else 41 bits of the first page's address: above all ids of sites, and the same in every import. */
function idOf(pages: readonly string[]): number | null {
  const malId = siteId(pages, mal)
  const [first] = pages
  if (malId !== null || first === undefined) return malId
  return 2 ** 41 + createHash('sha256').update(first).digest().readUIntBE(0, 5)
}

function valuesOf(object: JsonObject, idOfPage: ReadonlyMap<string, number>): JsonObject {
  const pages = textsIn(object.sources)
  const season = isObject(object.animeSeason) ? object.animeSeason : {}
  const score = isObject(object.score) ? object.score : {}
  const related = textsIn(object.relatedAnime).flatMap((page) => idOfPage.get(page) ?? [])
  const tags = textsIn(object.tags)
  return {
    id: idOf(pages),
    malId: siteId(pages, mal),
    anilistId: siteId(pages, anilist),
    // The file writes 0 for a number that is not known.
    episodes: numberIn(object.episodes) || null,
    year: season.year ?? null,
    season: season.season === 'UNDEFINED' ? null : season.season,
    score: score.arithmeticMean ?? score.median ?? score.arithmeticGeometricMean ?? null,
    minutes: minutesOf(object.duration),
    studios: namesIn(object.studios),
    producers: namesIn(object.producers),
    related: [...new Set(related)],
    genres: tags.flatMap((tag) => genreOf.get(tag.toLowerCase()) ?? []),
  }
}

function minutesOf(duration: unknown): number | null {
  if (!isObject(duration)) return null
  const value = numberIn(duration.value)
  const seconds = duration.unit === 'MINUTES' ? value * 60 : duration.unit === 'SECONDS' ? value : 0
  return seconds > 0 ? Math.max(1, Math.round(seconds / 60)) : null
}

/** Names are in lower case, and sometimes one occurs twice, in two spellings. */
function namesIn(value: unknown): readonly string[] {
  const names = new Map<string, string>()
  for (const name of textsIn(value)) {
    const key = name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
    if (!names.has(key)) names.set(key, capitalised(name))
  }
  return [...names.values()]
}

const capitalised = (name: string) =>
  name.replace(/(?<![\p{L}\p{N}'’])\p{Ll}/gu, (letter) => letter.toUpperCase())

/** Tags that the sites count as genres. */
const genreOf: ReadonlyMap<string, string> = new Map(
  [
    'Action',
    'Adventure',
    'Avant Garde',
    'Award Winning',
    'Boys Love',
    'Comedy',
    'Drama',
    'Ecchi',
    'Erotica',
    'Fantasy',
    'Girls Love',
    'Gourmet',
    'Hentai',
    'Horror',
    'Mahou Shoujo',
    'Mecha',
    'Music',
    'Mystery',
    'Psychological',
    'Romance',
    'Sci-Fi',
    'Slice of Life',
    'Sports',
    'Supernatural',
    'Suspense',
    'Thriller',
  ].flatMap((genre) => [[genre.toLowerCase(), genre] as const]),
)
