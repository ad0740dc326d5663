/**
 * A person's lists as text: MyAnimeList's export (XML), or JSON of AniList, either its export or what its API gives for
 * `MediaListCollection`. The page reads them, too, so nothing here needs Node.
 */
import * as v from 'valibot'
import { workDatasets, type DatasetName } from '../catalogue/dataset.js'
import type { ListStatus } from './list-status.js'

export interface FileEntry {
  /** Null where the file does not tell: AniList's ids are no other work's, MyAnimeList's are. */
  readonly dataset: DatasetName | null
  /** AniList's. */
  readonly mediaId: number | null
  /** MyAnimeList's; only of an entry whose dataset is known. */
  readonly malId: number | null
  readonly status: ListStatus
  /** 1 to 10; null where the user has not rated it. */
  readonly score: number | null
}

/** None where the text is not a list. */
export function readListText(content: string): readonly FileEntry[] {
  const text = content.replace(/^\ufeff/, '')
  return /^\s*</.test(text) ? readXml(text) : readJson(text)
}

/** One element a work; what is in it has no elements of its own. */
function readXml(text: string): readonly FileEntry[] {
  return workDatasets.flatMap((dataset) => {
    const idName = dataset === 'anime' ? 'series_animedb_id' : 'manga_mangadb_id'
    return elementsOf(text, dataset).flatMap((element) => {
      const malId = Number(member(element, idName))
      const status = malStatuses.get(member(element, 'my_status').toLowerCase())
      if (!Number.isSafeInteger(malId) || malId < 1 || status === undefined) return []
      const score = scoreOf(Number(member(element, 'my_score')))
      return [{ dataset, mediaId: null, malId, status, score }]
    })
  })
}

/** What is in elements of a name, one after the other; those without an end are none. Reads the text once. */
function elementsOf(text: string, name: string, most = Infinity): readonly string[] {
  const [opening, closing] = [`<${name}>`, `</${name}>`]
  const found: string[] = []
  let from = 0
  while (found.length < most) {
    const begin = text.indexOf(opening, from)
    const end = begin < 0 ? -1 : text.indexOf(closing, begin)
    if (end < 0) break
    found.push(text.slice(begin + opening.length, end))
    from = end + closing.length
  }
  return found
}

function member(element: string, name: string): string {
  const [value = ''] = elementsOf(element, name, 1)
  return value.replace(/^\s*<!\[CDATA\[|\]\]>\s*$/g, '').trim()
}

/** Older exports have numbers. */
const malStatuses: ReadonlyMap<string, ListStatus> = new Map([
  ...(['watching', 'reading', '1'] as const).map((name) => [name, 'CURRENT'] as const),
  ...(['completed', '2'] as const).map((name) => [name, 'COMPLETED'] as const),
  ...(['on-hold', '3'] as const).map((name) => [name, 'PAUSED'] as const),
  ...(['dropped', '4'] as const).map((name) => [name, 'DROPPED'] as const),
  ...(['plan to watch', 'plan to read', '6'] as const).map((name) => [name, 'PLANNING'] as const),
])

/** In the order of the numbers that AniList's export has for them. */
const statuses = ['CURRENT', 'PLANNING', 'COMPLETED', 'DROPPED', 'PAUSED', 'REPEATING'] as const
const mediaTypes = ['ANIME', 'MANGA'] as const

const apiEntry = v.object({
  mediaId: v.number(),
  status: v.picklist(statuses),
  score: v.nullish(v.number()),
  media: v.nullish(
    v.object({ idMal: v.nullish(v.number()), type: v.nullish(v.picklist(mediaTypes)) }),
  ),
})
const exportEntry = v.object({
  series_id: v.number(),
  series_type: v.picklist([0, 1]),
  status: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(statuses.length - 1)),
  score: v.nullish(v.number()),
})
const collection = v.object({
  lists: v.array(v.nullable(v.object({ entries: v.nullable(v.array(v.unknown())) }))),
})
const apiSchema = v.union([
  v.object({ data: v.object({ MediaListCollection: collection }) }),
  v.object({ MediaListCollection: collection }),
])
const exportSchema = v.object({ lists: v.array(v.unknown()) })

function readJson(text: string): readonly FileEntry[] {
  const json = v.safeParse(v.pipe(v.string(), v.parseJson()), text)
  if (!json.success) return []
  const ofApi = v.safeParse(apiSchema, json.output)
  if (ofApi.success) {
    const { MediaListCollection } = 'data' in ofApi.output ? ofApi.output.data : ofApi.output
    return MediaListCollection.lists.flatMap((list) => list?.entries ?? []).flatMap(readApiEntry)
  }
  const ofExport = v.safeParse(exportSchema, json.output)
  return ofExport.success ? ofExport.output.lists.flatMap(fromExport) : []
}

/** An entry of `MediaListCollection`; none where it is not one. */
export function readApiEntry(value: unknown): readonly FileEntry[] {
  const entry = v.safeParse(apiEntry, value)
  if (!entry.success) return []
  const { mediaId, status, media, score } = entry.output
  const dataset = media?.type == null ? null : media.type === 'ANIME' ? 'anime' : 'manga'
  const malId = dataset === null ? null : (media?.idMal ?? null)
  return [{ dataset, mediaId, malId, status, score: scoreOf(score) }]
}

function fromExport(value: unknown): readonly FileEntry[] {
  const entry = v.safeParse(exportEntry, value)
  if (!entry.success) return []
  const { series_id: mediaId, series_type: type, status: number, score } = entry.output
  const status = statuses[number]
  if (status === undefined) return []
  const dataset = type === 0 ? 'anime' : 'manga'
  return [{ dataset, mediaId, malId: null, status, score: scoreOf(score) }]
}

/** Sites count to 10 or to 100, and 0 is not a rating. */
function scoreOf(score: number | null | undefined): number | null {
  if (score == null || !(score > 0) || score > 100) return null
  return score > 10 ? score / 10 : score
}
