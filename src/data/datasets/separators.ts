/** How the lists of a source are separated, found from its first rows. */
import type { RawRow } from './raw-row.js'

/** Returns what separates the members of a field of the source. */
export type SeparatorOf = (name: string) => string

/** Rows that are looked at before the first is read. */
export const sampledRows = 1000
/** A file of long texts is looked at no further than this. */
export const sampledBytes = 2 ** 20

/** In this order where two are as frequent: a comma may stand inside of a member. */
const separators = ['|', ';', ','] as const

/** The separator that most values of the field have. Lists in brackets have one of their own. */
export function findSeparators(rows: readonly RawRow[]): SeparatorOf {
  return (name) => {
    const texts = rows
      .map((row) => row(name))
      .filter((value): value is string => typeof value === 'string' && !/^\s*[[{]/.test(value))
    const counts = separators.map(
      (separator) => texts.filter((value) => value.includes(separator)).length,
    )
    const best = counts.indexOf(Math.max(...counts))
    return separators[best] ?? separators[0]
  }
}
