/** The part of a filter that is about metadata of the user's own, checked against what the dataset declares. */
import { ValidationError } from '../../base/errors/index.js'
import { maskOf, passes, type RowMask } from '../../base/util/row-mask.js'
import { suggestion } from '../../base/util/suggest.js'
import { dateNumber, endOfDate, type Filterable, type OwnValues } from './own-values.js'

type Value = string | number | boolean

/** All parts must hold. An unknown value is in no list and in no range. */
interface OwnCondition {
  /** At least one of these. */
  readonly any?: readonly Value[] | undefined
  readonly all?: readonly Value[] | undefined
  readonly none?: readonly Value[] | undefined
  /** Included, as is `to`. */
  readonly from?: number | string | undefined
  readonly to?: number | string | undefined
}

export type OwnFilter = Readonly<Record<string, OwnCondition>>

type Passes = (row: number) => boolean

/** @throws ValidationError for a name or a value that the dataset cannot be filtered by */
export function ownMask(own: OwnValues, rowCount: number, filter: OwnFilter): RowMask {
  const tests = Object.entries(filter).flatMap(([name, condition]) => {
    const field = own.fields.find((one) => one.name === name)
    if (field === undefined) throw problem(name, unknownName(name, own.fields))
    return field.kind === 'text'
      ? textTests(own, rowCount, field, condition)
      : numberTests(own, field, condition)
  })
  const rows = Array.from(Array(rowCount).keys())
  const passing = rows.filter((row) => tests.every((test) => test(row)))
  return maskOf(rowCount, passing)
}

function textTests(
  own: OwnValues,
  rowCount: number,
  { name }: Filterable,
  { any, all = [], none, from, to }: OwnCondition,
): readonly Passes[] {
  if (from !== undefined || to !== undefined)
    throw problem(name, 'expected texts, received a range')
  const lists = own.texts(name)
  const withAny = (values: readonly Value[]): Passes => {
    const rows = values.flatMap((value) => {
      if (typeof value !== 'string')
        throw problem(name, `expected texts, received ${String(value)}`)
      return [...(lists.get(value.toLowerCase())?.rows ?? [])]
    })
    const mask = maskOf(rowCount, rows)
    return (row) => passes(mask, row)
  }
  return testsOf({ any, all, none }, withAny)
}

function numberTests(
  own: OwnValues,
  field: Filterable,
  { any, all, none, from, to }: OwnCondition,
): readonly Passes[] {
  const { name, kind } = field
  const values = own.numbers(name) ?? new Float64Array()
  if (kind === 'boolean' && (from !== undefined || to !== undefined))
    throw problem(name, 'expected true or false, received a range')
  const within =
    ([first, last]: Range): Passes =>
    (row) => {
      const value = values[row] ?? NaN
      return value >= first && value <= last
    }
  const withAny = (wanted: readonly Value[]): Passes => {
    const tests = wanted.map((value) => within(rangeOf(field, value)))
    return (row) => tests.some((test) => test(row))
  }
  const range: readonly Passes[] =
    from === undefined && to === undefined
      ? []
      : [
          within([
            from === undefined ? -Infinity : rangeOf(field, from)[0],
            to === undefined ? Infinity : rangeOf(field, to)[1],
          ]),
        ]
  return [...testsOf({ any, all, none }, withAny), ...range]
}

const testsOf = (
  { any, all = [], none }: OwnCondition,
  withAny: (values: readonly Value[]) => Passes,
): readonly Passes[] => {
  const excluded = none && withAny(none)
  return [
    ...(any === undefined ? [] : [withAny(any)]),
    ...all.map((value) => withAny([value])),
    ...(excluded === undefined ? [] : [(row: number) => !excluded(row)]),
  ]
}

type Range = readonly [number, number]

/** The numbers that a value means: of a date, all of its year or month. */
function rangeOf({ name, kind }: Filterable, value: Value): Range {
  const received = typeof value === 'string' ? JSON.stringify(value.slice(0, 40)) : String(value)
  if (kind === 'date') {
    const date = String(value)
    const first = dateNumber(date)
    if (Number.isNaN(first))
      throw problem(name, `expected a date such as 2005-10-04, received ${received}`)
    return [first, endOfDate(date)]
  }
  const expected = kind === 'boolean' ? 'boolean' : 'number'
  if (typeof value !== expected) throw problem(name, `expected a ${expected}, received ${received}`)
  return [Number(value), Number(value)]
}

function unknownName(name: string, fields: readonly Filterable[]): string {
  const names = fields.map((field) => field.name)
  if (names.length === 0)
    return 'unknown name; the mapping of this dataset declares none filterable'
  return `unknown name${suggestion(name, names) || `; known are ${names.join(', ')}`}`
}

const problem = (name: string, message: string) =>
  new ValidationError([{ path: `where.${name.slice(0, 64)}`, message }])
