/** The texts of one column as queries for their entries, to be found by the other columns. */
import type { Catalogue, DatasetInfo } from '../../data/catalogue/catalogue.js'
import type { ItemSet, KnownItem } from './known-items.js'
import { opening, sharesBeginning } from './openings.js'

/** Shorter texts are of the kind "DVD specials." and ask for nothing in particular. */
const minCharacters = 20

/**
 * An entry is a known item where it has a text in that column and in another one, unless one of these
 * begins the same: finding a copy is not a feat.
 * @param column position in the dataset's columns
 */
export function columnItems(
  catalogue: Pick<Catalogue, 'text' | 'texts'>,
  { name: dataset, columns }: DatasetInfo,
  column: number,
): ItemSet {
  const others = columns.map((_, position) => position).filter((position) => position !== column)
  const items: KnownItem[] = []
  const leftOut = { alone: 0, copied: 0, short: 0 }
  for (const { row, text } of catalogue.texts(dataset, column)) {
    const texts = others.flatMap((position) => catalogue.text(dataset, row, position) ?? [])
    const query = opening(text)
    if (texts.length === 0) leftOut.alone += 1
    else if (texts.some((other) => sharesBeginning(text, other))) leftOut.copied += 1
    else if (query.length < minCharacters) leftOut.short += 1
    else items.push({ dataset, query, rows: [row] })
  }
  return {
    name: `${dataset}, queried by ${columns[column] ?? ''}`,
    items,
    leftOut: [
      { reason: 'have a text in no other column', count: leftOut.alone },
      { reason: 'begin as in another column', count: leftOut.copied },
      { reason: `have fewer than ${minCharacters} characters`, count: leftOut.short },
    ].filter(({ count }) => count > 0),
    without: { dataset, column },
  }
}
