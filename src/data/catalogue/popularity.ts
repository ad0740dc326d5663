/** How well known each entry is, as the catalogue keeps it: one number a row, or nothing at all. */
import { packNumbers } from './packed-numbers.js'

/** Float32 a row, least significant byte first; null where nothing is known of any. */
export function packPopularity(popularity: readonly (number | null)[]): Buffer | null {
  const values = Float32Array.from(popularity, (value) => value ?? NaN)
  return values.every(Number.isNaN) ? null : packNumbers(values)
}
