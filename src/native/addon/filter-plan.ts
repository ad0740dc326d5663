/** A filter as the core reads it (native/core/rows/row_filter.h): one array of numbers. */

/** All conditions must hold; an unknown value meets none. */
export interface FilterPlan {
  /** Lists of facts by number: a row is in one of each of these. */
  readonly anyOf: readonly (readonly number[])[]
  /** A row is in none of these. */
  readonly noneOf: readonly number[]
  readonly yearFrom?: number | undefined
  readonly yearTo?: number | undefined
  /** 0 to 10. */
  readonly minScore?: number | undefined
  readonly adult?: boolean | undefined
}

const anyAge = 2

export function writeFilterPlan(plan: FilterPlan): Float64Array {
  const { anyOf, noneOf, yearFrom = -Infinity, yearTo = Infinity, minScore = -Infinity } = plan
  return Float64Array.of(
    anyOf.length,
    ...anyOf.flatMap((lists) => [lists.length, ...lists]),
    noneOf.length,
    ...noneOf,
    ...[yearFrom, yearTo, minScore],
    plan.adult === undefined ? anyAge : Number(plan.adult),
  )
}
