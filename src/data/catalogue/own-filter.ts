/** The part of a filter that is about metadata of the user's own, checked against what the dataset declares. */
import { ValidationError } from '../../base/errors/index.js'
import {
  allRows,
  bothMasks,
  butNot,
  eitherMask,
  maskOf,
  type RowMask,
} from '../../base/util/row-mask.js'
import { rowsWithin } from '../../native/addon/row-columns.js'
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

/** What passes of some rows. */
type Narrow = (rows: RowMask) => RowMask

/** @throws ValidationError for a name or a value that the dataset cannot be filtered by */
export function ownMask(own: OwnValues, rowCount: number, filter: OwnFilter): RowMask {
  const conditions = Object.entries(filter).flatMap(([name, condition]) => {
    const field = own.fields.find((one) => one.name === name)
    if (field === undefined) throw problem(name, unknownName(name, own.fields))
    return field.kind === 'text'
      ? ofTexts(own, rowCount, field, condition)
      : ofNumbers(own, rowCount, field, condition)
  })
  return conditions.reduce((rows, narrow) => narrow(rows), allRows(rowCount))
}

function ofTexts(
  own: OwnValues,
  rowCount: number,
  { name }: Filterable,
  { any, all = [], none, from, to }: OwnCondition,
): readonly Narrow[] {
  if (from !== undefined || to !== undefined)
    throw problem(name, 'expected texts, received a range')
  const lists = own.texts(name)
  const withAny = (values: readonly Value[]): RowMask => {
    const rows = values.flatMap((value) => {
      if (typeof value !== 'string')
        throw problem(name, `expected texts, received ${String(value)}`)
      return [...(lists.get(value.toLowerCase())?.rows ?? [])]
    })
    return maskOf(rowCount, rows)
  }
  return narrowingOf({ any, all, none }, withAny)
}

function ofNumbers(
  own: OwnValues,
  rowCount: number,
  field: Filterable,
  { any, all, none, from, to }: OwnCondition,
): readonly Narrow[] {
  const { name, kind } = field
  const values = own.numbers(name) ?? new Float64Array()
  if (kind === 'boolean' && (from !== undefined || to !== undefined))
    throw problem(name, 'expected true or false, received a range')
  const within = ([first, last]: Range): RowMask => rowsWithin(values, first, last)
  const withAny = (wanted: readonly Value[]): RowMask =>
    wanted.map((value) => within(rangeOf(field, value))).reduce(eitherMask, maskOf(rowCount, []))
  if (from === undefined && to === undefined) return narrowingOf({ any, all, none }, withAny)
  const inRange = within([
    from === undefined ? -Infinity : rangeOf(field, from)[0],
    to === undefined ? Infinity : rangeOf(field, to)[1],
  ])
  return [...narrowingOf({ any, all, none }, withAny), (rows) => bothMasks(rows, inRange)]
}

function narrowingOf(
  { any, all = [], none }: OwnCondition,
  withAny: (values: readonly Value[]) => RowMask,
): readonly Narrow[] {
  const required = [...(any === undefined ? [] : [any]), ...all.map((value) => [value])].map(
    withAny,
  )
  const excluded = none && withAny(none)
  return [
    ...required.map((mask) => (rows: RowMask) => bothMasks(rows, mask)),
    ...(excluded === undefined ? [] : [(rows: RowMask) => butNot(rows, excluded)]),
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
