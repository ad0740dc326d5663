/** Queries for a dataset with one column of texts: its titles, and the openings of the texts themselves. */
import type { Catalogue, DatasetInfo } from '../../data/catalogue/catalogue.js'
import type { ItemSet, KnownItem } from './known-items.js'
import { opening } from './openings.js'

/** Shorter texts have only their opening, which finds itself. */
const minRestCharacters = 80

/**
 * Titles show whether a work is found by its name. Openings are searched among the whole texts, so their figures
 * are an upper bound: they show whether anything is wrong, and do not compare models.
 */
export function ownItems(
  catalogue: Pick<Catalogue, 'entry' | 'texts'>,
  { name: dataset, columns }: DatasetInfo,
): ItemSet[] {
  const titles = new Map<string, number[]>()
  const openings: KnownItem[] = []
  let short = 0
  for (const { row, text } of catalogue.texts(dataset, 0)) {
    const { title } = catalogue.entry(dataset, row)
    titles.set(title, [...(titles.get(title) ?? []), row])
    const query = opening(text)
    if (text.length - query.length < minRestCharacters) short += 1
    else openings.push({ dataset, query, rows: [row] })
  }
  const byTitle = [...titles].map(([query, rows]) => ({ dataset, query, rows }))
  const reason = `have fewer than ${minRestCharacters} characters after their opening`
  return [
    { name: `${dataset}, queried by titles`, items: byTitle, leftOut: [] },
    {
      name: `${dataset}, queried by openings of ${columns[0] ?? ''} (an upper bound)`,
      items: openings,
      leftOut: short > 0 ? [{ reason, count: short }] : [],
    },
  ].filter(({ items }) => items.length > 0)
}
