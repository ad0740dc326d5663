/** Which texts a result shows: its synopsis always, and what else matches; what gives an ending away on request only. */
import type { Catalogue, DatasetInfo } from '../../data/catalogue/catalogue.js'
import type { Span } from '../reader/interpretation.js'
import { shownTexts, textKind } from '../../data/catalogue/text-kinds.js'

/** A text other than the synopsis that matches a query better than it. */
export interface MatchedText {
  readonly column: string
  /** Its line that matches best; null for a spoiler that nobody wants to see. */
  readonly text: string | null
  /** Whether it gives the ending or a twist away. */
  readonly spoiler: boolean
  /** Words of the line that match words of the query; only where a result says why it matches. */
  readonly words?: readonly Span[]
}

export interface ResultTexts {
  /** Whole; empty for an entry that has none. */
  readonly synopsis: string
  readonly column: string | null
  /** All lines of the text that matches, where that is another one. */
  readonly matched?: { readonly column: string; readonly text: string; readonly spoiler: boolean }
}

/** @param best position of the column that matches best */
export function resultTexts(
  catalogue: Pick<Catalogue, 'text'>,
  { name, columns }: DatasetInfo,
  row: number,
  best: number | undefined,
): ResultTexts {
  const textAt = (column: number | undefined) =>
    column === undefined ? null : catalogue.text(name, row, column)
  const shown = shownTexts({ columns }, best, (column) => textAt(column) !== null)
  const synopsis = textAt(shown.synopsis) ?? ''
  const column = columns[shown.synopsis ?? -1] ?? null
  const text = textAt(shown.matched)
  if (text === null) return { synopsis, column }
  const matched = columns[shown.matched ?? -1] ?? ''
  const spoiler = textKind(matched) === 'spoilers'
  return { synopsis, column, matched: { column: matched, text, spoiler } }
}

/**
 * The column of the one text that a result shows: that which matches, or the synopsis where only the title matches or
 * the text gives the ending away.
 */
export function shownColumn(
  catalogue: Pick<Catalogue, 'text'>,
  { name, columns }: DatasetInfo,
  row: number,
  matching: number | undefined,
): number {
  if (matching !== undefined && textKind(columns[matching] ?? '') !== 'spoilers') return matching
  const hasText = (column: number) => catalogue.text(name, row, column) !== null
  return shownTexts({ columns }, undefined, hasText).synopsis ?? 0
}
