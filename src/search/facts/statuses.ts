/** Whether works have ended, in the words of catalogues: `Finished Airing`, `RELEASING`, `Publishing`. */
import type { FactValues } from '../../data/catalogue/row-facts.js'
import { getOrAdd } from '../../base/util/get-or-add.js'
import type { NamedRows, RowList, RowLists } from './named-rows.js'

/** The statuses of queries, and the words of catalogues for each. */
const wordsFor: ReadonlyMap<string, readonly string[]> = new Map([
  ['finished', ['finished', 'completed', 'complete', 'ended']],
  ['ongoing', ['ongoing', 'releasing', 'airing', 'publishing', 'current', 'continuing']],
])
const meanings: ReadonlyMap<string, string> = new Map(
  Array.from(wordsFor, ([meaning, words]) => words.map((word) => [word, meaning] as const)).flat(),
)

/** `Finished Airing` is `finished`, `Currently Airing` is `ongoing`; other words are as they are, in lower case. */
export function statusOf(value: string): string {
  const words = value.toLowerCase().split(/[^\p{L}]+/u)
  const [known] = words.flatMap((word) => meanings.get(word) ?? [])
  return known ?? value.toLowerCase()
}

/** Rows by status; values of one meaning together. */
export function statusRows(lists: RowLists, { first, values }: FactValues): NamedRows {
  const found = new Map<string, number[]>()
  values.forEach((value, at) => getOrAdd(found, statusOf(value), () => []).push(first + at))
  const single = Array.from(found, ([status, [list = -1]]) => [status, list] as const)
  const several = [...found].filter(([, own]) => own.length > 1)
  return lists.with(
    lists.named(single),
    several.map(([status, own]) => [status, joined(own.map((list) => lists.rowsOf(list)))]),
  )
}

const joined = (lists: readonly RowList[]): RowList =>
  Uint32Array.from(lists.flatMap((rows) => [...rows])).sort()
