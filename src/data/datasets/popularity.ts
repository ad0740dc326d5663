/**
 * How well known a source's works are. Sources count members, votes or lists, or only list the best known
 * first. The counts are not comparable, but the ranks are.
 */
import * as v from 'valibot'
import {
  compileField,
  fieldNames,
  fieldSchema,
  type Field,
  type FieldContext,
  type RawRow,
} from './field.js'

export const orderSchema = v.strictObject({ listed: v.literal('bestKnownFirst') })

export type Popularity = Field | v.InferOutput<typeof orderSchema>

/** The field that counts how many know a work, or the statement that the source is in that order. */
export const popularitySchema: v.GenericSchema<Popularity> = v.lazy((input) =>
  typeof input === 'object' && input !== null && 'listed' in input ? orderSchema : fieldSchema,
)

/** Returns a function that reads how well known a row is; a larger number is better known. */
export function compilePopularity(
  popularity: Popularity | undefined,
  context: FieldContext = {},
): (row: RawRow, line: number) => number | null {
  if (popularity === undefined) return () => null
  if (isOrder(popularity)) return (_, line) => -line
  const read = compileField(popularity, 'number', context)
  return (row) => {
    const count = read(row)
    return typeof count === 'number' ? count : null
  }
}

/** Names of the source's fields that it reads. */
export function popularityNames(popularity: Popularity | undefined): readonly string[] {
  return popularity === undefined || isOrder(popularity) ? [] : fieldNames(popularity)
}

const isOrder = (popularity: Popularity): popularity is v.InferOutput<typeof orderSchema> =>
  typeof popularity === 'object' && 'listed' in popularity

/**
 * `CatalogueRow.popularity` of each count: -ln(share of the source's works that are at least as well known).
 * 0 for the least known work, 4.6 at the first hundredth.
 */
export function toLogRanks(counts: readonly (number | null)[]): readonly (number | null)[] {
  const ascending = Float64Array.from(counts.filter((count) => count !== null)).sort()
  const works = ascending.length
  const fewer = new Map<number, number>()
  ascending.forEach((count, position) => {
    if (!fewer.has(count)) fewer.set(count, position)
  })
  return counts.map((count) =>
    count === null ? null : Math.log(works / (works - (fewer.get(count) ?? 0))),
  )
}
