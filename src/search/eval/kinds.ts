/** What each kind of query is measured by. */
import type { KindQuery } from './queries.js'

/** `first`: the first answer is right. `mrr`: 1 / rank of the first right one, to ten. `p5`: right ones of the first five. */
export type Measure = 'first' | 'mrr' | 'p5'

export const measureNames: Readonly<Record<Measure, string>> = {
  first: 'first',
  mrr: 'MRR@10',
  p5: 'P@5',
}

const measures: Readonly<Record<string, Measure>> = {
  title: 'first',
  'other title': 'first',
  typo: 'first',
  scene: 'mrr',
  description: 'mrr',
  opening: 'mrr',
  like: 'p5',
  but: 'p5',
  facet: 'p5',
  fact: 'p5',
  not: 'p5',
  mood: 'p5',
  theme: 'p5',
}

/** A kind may have more words after a comma. Others have P@5 where most of their queries have several answers. */
export function measureOf(kind: string, queries: readonly KindQuery[]): Measure {
  const known = measures[kind.split(',')[0] ?? kind]
  if (known !== undefined) return known
  return queries.filter(({ rows }) => rows.size > 1).length * 2 > queries.length ? 'p5' : 'mrr'
}

const depth = 5

/** @param rows the best first */
export function valueOf(measure: Measure, query: KindQuery, rows: ArrayLike<number>): number {
  const isRight = (row: number | undefined) => row !== undefined && query.rows.has(row)
  if (measure === 'first') return isRight(rows[0]) ? 1 : 0
  if (measure === 'p5') return Array.from(rows).slice(0, depth).filter(isRight).length / depth
  const position = Array.from(rows).slice(0, 10).findIndex(isRight)
  return position < 0 ? 0 : 1 / (position + 1)
}

/** The share of the first five that have what the query excludes. */
export const brokenShare = ({ breaks }: KindQuery, rows: ArrayLike<number>): number =>
  Array.from(rows)
    .slice(0, depth)
    .filter((row) => breaks.has(row)).length / depth
