/** Metadata that a mapping declares `filterable`: texts with the rows that have each, numbers as one value a row. */
import type { Database } from '../../base/util/sqlite.js'
import { getOrAdd } from '../../base/util/get-or-add.js'
import type { CatalogueRow } from './catalogue-row.js'

export const filterableKinds = ['text', 'number', 'date', 'boolean'] as const
export type FilterableKind = (typeof filterableKinds)[number]

/** A name of the metadata that requests may filter by. */
export interface Filterable {
  readonly name: string
  readonly kind: FilterableKind
}

export interface OwnValues {
  readonly fields: readonly Filterable[]
  /** Rows by value in lower case; empty for names of other kinds. */
  readonly texts: (name: string) => ReadonlyMap<string, OwnText>
  /** One a row, NaN where unknown; dates as `dateNumber` writes them, booleans as 0 and 1. Undefined for texts. */
  readonly numbers: (name: string) => Float64Array | undefined
}

interface OwnText {
  /** As the first of the works has it. */
  readonly value: string
  /** Ascending. */
  readonly rows: Uint32Array
}

export interface OwnValuesBuilder {
  /** The next row. */
  add(work: Pick<CatalogueRow, 'metadata'>): void
  /** @param dataset its number */
  write(database: Database, dataset: number): void
}

interface Growing {
  readonly value: string
  readonly rows: number[]
}

export function createOwnValuesBuilder(fields: readonly Filterable[] = []): OwnValuesBuilder {
  const texts = new Map<string, Map<string, Growing>>()
  const numbers = new Map<string, number[]>()
  for (const { name, kind } of fields) {
    if (kind === 'text') texts.set(name, new Map())
    else numbers.set(name, [])
  }
  let row = 0
  return {
    add({ metadata }) {
      for (const [name, lists] of texts) {
        for (const value of [metadata[name]].flat()) {
          if (typeof value !== 'string' || value === '') continue
          const { rows } = getOrAdd(lists, value.toLowerCase(), () => ({ value, rows: [] }))
          if (rows.at(-1) !== row) rows.push(row)
        }
      }
      for (const [name, values] of numbers) values.push(numberOf(metadata[name]))
      row += 1
    },
    write(database, dataset) {
      const insertField = database.prepare('INSERT INTO own_fields VALUES (?, ?, ?, ?)')
      const insertText = database.prepare('INSERT INTO own_texts VALUES (?, ?, ?, ?)')
      for (const { name, kind } of fields) {
        const values = Float64Array.from(numbers.get(name) ?? [])
        insertField.run(dataset, name, kind, Buffer.from(values.buffer))
        for (const { value, rows } of texts.get(name)?.values() ?? [])
          insertText.run(dataset, name, value, Buffer.from(Uint32Array.from(rows).buffer))
      }
    },
  }
}

function numberOf(value: unknown): number {
  if (typeof value === 'number') return value
  if (typeof value === 'boolean') return Number(value)
  return typeof value === 'string' ? dateNumber(value) : NaN
}

/** `2005-10-04` is 20051004, `2005-10` is 20051000 and `2005` is 20050000; NaN for other texts. */
export function dateNumber(date: string): number {
  const found = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/.exec(date)
  if (found === null) return NaN
  const [, year = '', month = '00', day = '00'] = found
  return Number(year + month + day)
}

/** The last number of the year, month or day that a date names. */
export function endOfDate(date: string): number {
  const first = dateNumber(date)
  return first + (date.length === 4 ? 9999 : date.length === 7 ? 99 : 0)
}

/** Reads each name at its first use. */
export function openOwnValues(database: Database, dataset: number): OwnValues {
  const fields = hasOwnFields(database)
    ? database
        .prepare<[number], Filterable>('SELECT name, kind FROM own_fields WHERE dataset = ?')
        .all(dataset)
    : []
  const textsRead = new Map<string, ReadonlyMap<string, OwnText>>()
  const numbersRead = new Map<string, Float64Array>()
  return {
    fields,
    texts: (name) =>
      getOrAdd(textsRead, name, () => {
        const lists = database
          .prepare<[number, string], { value: string; rows: Buffer }>(
            'SELECT value, rows FROM own_texts WHERE dataset = ? AND name = ?',
          )
          .all(dataset, name)
        return new Map(
          lists.map(({ value, rows }) => [
            value.toLowerCase(),
            { value, rows: new Uint32Array(Uint8Array.from(rows).buffer) },
          ]),
        )
      }),
    numbers(name) {
      const field = fields.find((one) => one.name === name)
      if (field === undefined || field.kind === 'text') return undefined
      return getOrAdd(numbersRead, name, () => {
        const packed = database
          .prepare<[number, string], Buffer>(
            'SELECT numbers FROM own_fields WHERE dataset = ? AND name = ?',
          )
          .pluck()
          .get(dataset, name)
        return new Float64Array(Uint8Array.from(packed ?? []).buffer)
      })
    },
  }
}

/** Catalogues of earlier imports have no such tables. */
const hasOwnFields = (database: Database): boolean =>
  database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'own_fields'").get() !== undefined
