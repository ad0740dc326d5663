/**
 * What the texts of a column are for, by its name. A synopsis describes a work; remembered texts say what
 * people remember of it; spoilers give its ending away and are shown only if a request wants them. All are searched.
 */
import type { DatasetInfo } from './dataset.js'

export type TextKind = 'synopsis' | 'remembered' | 'spoilers'

/** Columns of the included works, in data/works/{anime,manga}.json; a number may follow. */
const kinds: readonly (readonly [name: string, kind: TextKind])[] = [
  ['in other words', 'remembered'],
  ['scenes', 'remembered'],
  ['looks like', 'remembered'],
  ['spoilers', 'spoilers'],
]

/** Synopses of the included works in a catalogue with synopses of its own, which are shown first. */
export const includedSynopsis = 'included synopsis'

export function textKind(column: string): TextKind {
  const name = column.replace(/ \d+$/, '').toLowerCase()
  return kinds.find(([known]) => known === name)?.[1] ?? 'synopsis'
}

/** Where a text of an entry is found. */
export interface ShownTexts {
  /** The column of the text that represents the entry: a synopsis if it has one; undefined without any text. */
  readonly synopsis: number | undefined
  /** The column of the text that matches, where that is another one. */
  readonly matched: number | undefined
}

/**
 * @param best the column that matches, where there is one
 * @param hasText whether the entry has a text in a column
 */
export function shownTexts(
  { columns }: Pick<DatasetInfo, 'columns'>,
  best: number | undefined,
  hasText: (column: number) => boolean,
): ShownTexts {
  const matched = best !== undefined && hasText(best) ? best : undefined
  if (matched !== undefined && isOwnSynopsis(columns[matched])) {
    return { synopsis: matched, matched: undefined }
  }
  const places = [...columns.keys()]
  const find = (fits: (column: number) => boolean) =>
    places.find((column) => fits(column) && hasText(column))
  const synopsis =
    find((column) => isOwnSynopsis(columns[column])) ??
    find((column) => columns[column] === includedSynopsis) ??
    find((column) => textKind(columns[column] ?? '') === 'remembered')
  return { synopsis, matched: matched === synopsis ? undefined : matched }
}

const isOwnSynopsis = (column = '') =>
  textKind(column) === 'synopsis' && column !== includedSynopsis
