/** Orders of entries other than how well they fit. */
import { ValidationError } from '../../base/errors/index.js'
import { rowsByValue } from '../../native/addon/row-columns.js'
import { suggestion } from '../../base/util/suggest.js'
import type { OwnValues } from '../../data/catalogue/own-values.js'
import type { DatasetFacts } from '../facts/dataset-facts.js'

export const factOrders = ['year', 'rating', 'popularity'] as const

interface Sources {
  readonly facts: Pick<DatasetFacts, 'years' | 'scores' | 'popularity'>
  readonly own: OwnValues
}

export interface EntryOrder {
  /** One of `factOrders`, or a number, date or boolean that the mapping declares filterable. */
  readonly by: string
  /** The largest first where absent. */
  readonly ascending?: boolean
}

/**
 * Returns what puts the rows in order: below 0 if the first comes first, 0 for equal ones. What is not known comes last.
 * @throws ValidationError for a name that nothing can be sorted by
 */
export function compareRows(
  order: EntryOrder,
  sources: Sources,
): (one: number, other: number) => number {
  const valueOf = sortValues(order, sources)
  const sign = order.ascending === true ? 1 : -1
  return (one, other) => {
    const [a, b] = [valueOf(one), valueOf(other)]
    const [lacksOne, lacksOther] = [Number.isNaN(a), Number.isNaN(b)]
    if (lacksOne || lacksOther) return Number(lacksOne) - Number(lacksOther)
    return sign * (a - b)
  }
}

/**
 * Returns what rows are sorted by, NaN where that is not known.
 * @throws ValidationError for a name that nothing can be sorted by
 */
export function sortValues(order: EntryOrder, sources: Sources): (row: number) => number {
  const values = columnOf(order, sources)
  return (row) => {
    const value = values[row] ?? NaN
    return !isPositive(order) || value > 0 ? value : NaN
  }
}

/**
 * All rows in the order, ties by row.
 * @throws ValidationError for a name that nothing can be sorted by
 */
export const rowsInOrder = (order: EntryOrder, sources: Sources): Promise<Uint32Array> =>
  rowsByValue(Float64Array.from(columnOf(order, sources)), {
    ascending: order.ascending === true,
    positiveOnly: isPositive(order),
  })

/** A year or a rating of 0 is not known. */
const isPositive = ({ by }: EntryOrder): boolean => by === 'year' || by === 'rating'

function columnOf({ by }: EntryOrder, { facts, own }: Sources) {
  const { years, scores: rating, popularity } = facts
  const values = { year: years, rating, popularity }[by] ?? own.numbers(by)
  if (values === undefined) throw new ValidationError([{ path: 'sort', message: unknown(by, own) }])
  return values
}

function unknown(by: string, { fields }: OwnValues): string {
  const own = fields.filter(({ kind }) => kind !== 'text').map(({ name }) => name)
  const names = [...factOrders, ...own]
  const known = `; known are ${names.join(', ')}`
  return `expected what entries can be sorted by, received ${JSON.stringify(by.slice(0, 40))}${suggestion(by, names) || known}`
}
