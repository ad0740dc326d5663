/**
 * A person's lists in a file: MyAnimeList's export (XML, often gzip), or JSON of AniList, either its export or what
 * its API gives for `MediaListCollection`.
 */
import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import * as v from 'valibot'
import { datasetNames, type DatasetName } from '../catalogue/catalogue.js'
import type { ListStatus } from './list-status.js'

export interface FileEntry {
  /** Null where the file does not tell: AniList's ids are no other work's, MyAnimeList's are. */
  readonly dataset: DatasetName | null
  /** AniList's. */
  readonly mediaId: number | null
  /** MyAnimeList's; only of an entry whose dataset is known. */
  readonly malId: number | null
  readonly status: ListStatus
}

/** Far above any list: a larger file is another one. */
const maxBytes = 64 * 2 ** 20

/** @throws Error that says what is wrong, without the content */
export async function readListFile(path: string): Promise<readonly FileEntry[]> {
  const bytes = await readFile(path)
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b
  const content = isPacked ? gunzipSync(bytes, { maxOutputLength: maxBytes }) : bytes
  const text = content.toString('utf8').replace(/^\ufeff/, '')
  const entries = /^\s*</.test(text) ? readXml(text) : readJson(text)
  if (entries.length > 0) return entries
  const expected = "an export of MyAnimeList (XML, .gz) or of AniList's lists (JSON)"
  throw new Error(`expected ${expected}, found no entry of one`)
}

/** One element a work; what is in it has no elements of its own. */
function readXml(text: string): readonly FileEntry[] {
  return datasetNames.flatMap((dataset) => {
    const idName = dataset === 'anime' ? 'series_animedb_id' : 'manga_mangadb_id'
    return elementsOf(text, dataset).flatMap((element) => {
      const malId = Number(member(element, idName))
      const status = malStatuses.get(member(element, 'my_status').toLowerCase())
      if (!Number.isSafeInteger(malId) || malId < 1 || status === undefined) return []
      return [{ dataset, mediaId: null, malId, status }]
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
  media: v.nullish(
    v.object({ idMal: v.nullish(v.number()), type: v.nullish(v.picklist(mediaTypes)) }),
  ),
})
const exportEntry = v.object({
  series_id: v.number(),
  series_type: v.picklist([0, 1]),
  status: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(statuses.length - 1)),
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
    return MediaListCollection.lists.flatMap((list) => list?.entries ?? []).flatMap(fromApi)
  }
  const ofExport = v.safeParse(exportSchema, json.output)
  return ofExport.success ? ofExport.output.lists.flatMap(fromExport) : []
}

function fromApi(value: unknown): readonly FileEntry[] {
  const entry = v.safeParse(apiEntry, value)
  if (!entry.success) return []
  const { mediaId, status, media } = entry.output
  const dataset = media?.type == null ? null : media.type === 'ANIME' ? 'anime' : 'manga'
  return [{ dataset, mediaId, malId: dataset === null ? null : (media?.idMal ?? null), status }]
}

function fromExport(value: unknown): readonly FileEntry[] {
  const entry = v.safeParse(exportEntry, value)
  if (!entry.success) return []
  const { series_id: mediaId, series_type: type, status: number } = entry.output
  const status = statuses[number]
  if (status === undefined) return []
  return [{ dataset: type === 0 ? 'anime' : 'manga', mediaId, malId: null, status }]
}
