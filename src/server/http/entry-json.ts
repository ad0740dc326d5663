/**
 * The entry of a hit as bytes of JSON. Reading and encoding an entry costs more than finding it, and popular
 * entries are found again and again. So the bytes are cached, within a budget.
 */
import { LRUCache } from 'lru-cache'
import type { Catalogue, DatasetInfo, DatasetName } from '../../data/catalogue/catalogue.js'
import { shownTitle, titleLanguages, type TitleLanguage } from '../../data/catalogue/shown-title.js'
import { noMetricsSink, type MetricsSink } from '../../base/observability/metrics-sink.js'

export interface EntryJson {
  /**
   * Members of a result after `rank` and `similarity`: `"column":…,"synopsis":…,"id":…`, without braces.
   * @param column position in the dataset's columns
   * @param titles the language of its title; romaji where absent
   */
  entryJsonFragment(
    dataset: DatasetInfo,
    row: number,
    column: number,
    titles?: TitleLanguage,
  ): Uint8Array
}

/** Holds about 50,000 synopses. */
const budgetBytes = 64 * 1024 * 1024

/** Where the entry of a row is, where a write has not been merged yet; undefined for the row itself. */
export type PlaceOf = (
  dataset: DatasetInfo,
  row: number,
) =>
  | { readonly catalogue: Catalogue; readonly dataset: DatasetInfo; readonly row: number }
  | undefined

export function createEntryJson(
  catalogue: Catalogue,
  limitBytes = budgetBytes,
  metrics: Pick<MetricsSink, 'entry'> = noMetricsSink,
  placeOf: PlaceOf = () => undefined,
): EntryJson {
  const cache = new LRUCache<number, Uint8Array>({
    maxSize: limitBytes,
    sizeCalculation: ({ length }) => length,
  })
  const numberOf = numberTexts(catalogue.datasets())
  return {
    entryJsonFragment(searched, foundRow, column, titles = 'romaji') {
      const place = placeOf(searched, foundRow) ?? { catalogue, dataset: searched, row: foundRow }
      const { dataset, row } = place
      if (place.catalogue !== catalogue)
        return encode(place.catalogue, dataset, row, column, titles)
      const key =
        numberOf(dataset, row, column) * titleLanguages.length + titleLanguages.indexOf(titles)
      const cached = cache.get(key)
      metrics.entry(cached !== undefined)
      if (cached !== undefined) return cached
      const members = encode(catalogue, dataset, row, column, titles)
      cache.set(key, members)
      return members
    },
  }
}

/** Numbers the texts of all datasets: numbers are faster keys than strings. */
function numberTexts(datasets: readonly DatasetInfo[]) {
  const firsts = new Map<DatasetName, number>()
  let count = 0
  for (const { name, rows, columns } of datasets) {
    firsts.set(name, count)
    count += rows * columns.length
  }
  return ({ name, columns }: DatasetInfo, row: number, column: number): number =>
    (firsts.get(name) ?? 0) + row * columns.length + column
}

const encoder = new TextEncoder()

function encode(
  catalogue: Catalogue,
  { name, columns }: DatasetInfo,
  row: number,
  column: number,
  titles: TitleLanguage,
): Uint8Array {
  const entry = catalogue.entry(name, row)
  const { id, type, genres, year, score, facts, metadata } = entry
  const title = shownTitle(entry, titles)
  const synopsis = catalogue.text(name, row, column)
  const known = { column: columns[column], synopsis, id, title, type, genres, year, score }
  const { otherTitles: alternativeTitles, ...rest } = facts
  const shown = {
    ...known,
    alternativeTitles,
    ...rest,
    spoilerTags: undefined,
    characters: undefined,
    recommended: undefined,
  }
  const own = { rank: 0, similarity: 0, explain: 0, listStatus: 0, ...shown }
  // A mapping may name metadata as it likes; the members above win.
  const others = Object.entries(metadata).filter(([name]) => !Object.hasOwn(own, name))
  return encoder.encode(JSON.stringify({ ...shown, ...Object.fromEntries(others) }).slice(1, -1))
}
