/** The order of day and month in dates such as 13/02/2004, inferred from a column's values. */

export interface DateOrder {
  readonly order: 'dmy' | 'mdy'
  /** A value that shows it; absent where every day is at most 12, so that the order is a guess. */
  readonly example?: string
}

const date = /^(\d{1,2})([./-])(\d{1,2})\2\d{4}$/

/** Undefined where no value is such a date. Dots mean day first; other dates that show nothing are read month first. */
export function dateOrderOf(values: readonly string[]): DateOrder | undefined {
  const dates = values.flatMap((value) => {
    const found = date.exec(value.trim())
    return found === null
      ? []
      : [{ value, first: Number(found[1]), mark: found[2], second: Number(found[3]) }]
  })
  const [any] = dates
  if (any === undefined) return undefined
  const dayFirst = dates.find(({ first }) => first > 12)
  if (dayFirst !== undefined) return { order: 'dmy', example: dayFirst.value }
  const monthFirst = dates.find(({ second }) => second > 12)
  if (monthFirst !== undefined) return { order: 'mdy', example: monthFirst.value }
  return { order: any.mark === '.' ? 'dmy' : 'mdy' }
}
