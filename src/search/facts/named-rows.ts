/** Lists of rows by number and by name: those of the index of rows, which are mapped, and others that are made when it is opened. */
import type { RowFacts } from '../../data/catalogue/row-facts.js'
import type { PlannedRows } from '../../native/addon/rank-plan.js'

/** Rows, ascending. */
export type RowList = Uint32Array

export interface RowLists {
  rowsOf(list: number): RowList
  /** Of a list of tags, 1 to 3 a row. */
  weightsOf(list: number): Uint8Array
  /** The list as the core finds it. */
  planned(list: number): PlannedRows
  /** @param lists numbers by name; the last of equal names counts */
  named(lists: Iterable<readonly [string, number]>): NamedRows
  /** The same with these in the place of those that have their names. */
  with(named: NamedRows, others: Iterable<readonly [string, RowList]>): NamedRows
}

export interface NamedRows extends Iterable<readonly [string, RowList]> {
  readonly size: number
  has(name: string): boolean
  get(name: string): RowList | undefined
  numberOf(name: string): number | undefined
  keys(): Iterable<string>
}

export function createRowLists({ rowsOf, weightsOf, listCount }: RowFacts): RowLists {
  const others: RowList[] = []
  const rows = (list: number) => others[list - listCount] ?? rowsOf(list)
  function named(lists: Iterable<readonly [string, number]>): NamedRows {
    const numbers = new Map(lists)
    return {
      size: numbers.size,
      has: (name) => numbers.has(name),
      get(name) {
        const number = numbers.get(name)
        return number === undefined ? undefined : rows(number)
      },
      numberOf: (name) => numbers.get(name),
      keys: () => numbers.keys(),
      *[Symbol.iterator]() {
        for (const [name, number] of numbers) yield [name, rows(number)]
      },
    }
  }
  return {
    rowsOf: rows,
    weightsOf,
    planned: (list) => others[list - listCount] ?? list,
    named,
    with(known, more) {
      const numbers = new Map(
        Array.from(known.keys(), (name) => [name, known.numberOf(name) ?? -1]),
      )
      for (const [name, own] of more) numbers.set(name, listCount + others.push(own) - 1)
      return named(numbers)
    },
  }
}
