/** Whether a CSV file holds anime or manga: its columns say it, else its ids, else its name. */
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { workDatasets, type DatasetName } from '../../catalogue/catalogue.js'
import { parseObject } from '../jsonl-rows.js'
import { exactTitle } from '../titles.js'
import type { Columns, Sample } from './mal-csv.js'
import { isObject, numberIn, textsIn } from './members.js'

/** Undefined if neither the columns nor the rows show it. */
export async function datasetOf(
  file: string,
  columns: Columns,
  rows: Sample['rows'],
): Promise<DatasetName | undefined> {
  const { id, volumes, chapters, authors, episodes, studios } = columns
  const isManga = id === 'manga_id' || [volumes, chapters, authors].some((one) => one !== undefined)
  const isAnime = id === 'anime_id' || [episodes, studios].some((one) => one !== undefined)
  if (isManga !== isAnime) return isManga ? 'manga' : 'anime'
  return (await byIds(columns, rows)) ?? byName(basename(file))
}

/** An id means another work in each of the two, so titles tell which it is. */
async function byIds(columns: Columns, rows: Sample['rows']): Promise<DatasetName | undefined> {
  const { id, title } = columns
  if (id === undefined || title === undefined) return undefined
  const found = await Promise.all(
    workDatasets.map(async (dataset) => {
      const titles = await shippedTitles(dataset)
      const hits = rows.filter((row) =>
        titles.get(Number(row[id]))?.has(exactTitle(row[title] ?? '')),
      )
      return { dataset, hits: hits.length }
    }),
  )
  const [best, second] = found.toSorted((one, other) => other.hits - one.hits)
  return best !== undefined && best.hits > (second?.hits ?? 0) ? best.dataset : undefined
}

/** Titles of the included works, by MyAnimeList's id. */
async function shippedTitles(
  dataset: DatasetName,
): Promise<ReadonlyMap<number, ReadonlySet<string>>> {
  const path = fileURLToPath(new URL(`../../../../data/works/${dataset}.jsonl`, import.meta.url))
  const objects = (await readFile(path, 'utf8')).split('\n').map(parseObject)
  return new Map(
    objects.map((work) => {
      const titles = isObject(work?.titles) ? Object.values(work.titles).flat() : []
      return [numberIn(work?.mal), new Set(textsIn(titles).map(exactTitle))]
    }),
  )
}

function byName(name: string): DatasetName | undefined {
  const isManga = /manga|manhwa|manhua|novel/i.test(name)
  if (isManga === /anime/i.test(name)) return undefined
  return isManga ? 'manga' : 'anime'
}
