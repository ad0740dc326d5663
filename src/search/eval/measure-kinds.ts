/** Runs every query of a file on several systems, and compares the search that ships with each of the others. */
import type { DatasetColumn } from '../../data/catalogue/catalogue.js'
import { compare, type Estimate, meanOf } from './figures.js'
import { getOrAdd } from '../../base/util/get-or-add.js'
import { brokenShare, type Measure, measureOf, valueOf } from './kinds.js'
import type { KindQuery } from './queries.js'

/** Rows that a system answers with, the best first; at least ten where it has them. */
type Answer = (query: KindQuery) => Promise<ArrayLike<number>>

export interface KindSystem {
  readonly name: string
  readonly answer: Answer
}

export interface MeasuredKind {
  readonly kind: string
  readonly queries: number
  readonly measure: Measure | 'broken'
  /** The first is the search that ships. */
  readonly systems: readonly {
    readonly name: string
    readonly value: Estimate
    /** The first system's value less this one's, query by query; absent for the first. */
    readonly behind?: Estimate
  }[]
}

/** Runs a task with the systems of a catalogue without a column. */
export type WithSystems = (
  without: DatasetColumn | undefined,
  task: (systems: readonly KindSystem[]) => Promise<void>,
) => Promise<void>

/** @param onDone called for each query that a system has answered */
export async function measureKinds(
  queries: readonly KindQuery[],
  withSystems: WithSystems,
  onDone: () => void,
): Promise<readonly MeasuredKind[]> {
  const answers = new Map<KindQuery, Map<string, ArrayLike<number>>>()
  for (const { without, queries: group } of groupByColumn(queries)) {
    await withSystems(without, async (systems) => {
      for (const query of group) {
        const own = new Map<string, ArrayLike<number>>()
        for (const { name, answer } of systems) {
          own.set(name, await answer(query))
          onDone()
        }
        answers.set(query, own)
      }
    })
  }
  const kinds = groupBy(queries, ({ kind, dataset }) => `${kind} (${dataset})`)
  return [...kinds].flatMap(([kind, group]) => {
    const measure = measureOf(group[0]?.kind ?? kind, group)
    const values = (value: (query: KindQuery, rows: ArrayLike<number>) => number) =>
      valuesOf(group, answers, value)
    const measured = [
      {
        kind,
        queries: group.length,
        measure,
        systems: values((query, rows) => valueOf(measure, query, rows)),
      },
    ]
    if (group.every(({ breaks }) => breaks.size === 0)) return measured
    return [
      ...measured,
      { kind, queries: group.length, measure: 'broken' as const, systems: values(brokenShare) },
    ]
  })
}

/** The queries that search the same catalogue: that without the column which they were taken from. */
export function groupByColumn(queries: readonly KindQuery[]): readonly {
  readonly without: DatasetColumn | undefined
  readonly queries: readonly KindQuery[]
}[] {
  const nameOf = ({ dataset, column }: KindQuery) =>
    column === undefined ? '' : `${dataset} ${column}`
  return [...groupBy(queries, nameOf).values()].map((group) => {
    const [first] = group
    const without =
      first?.column === undefined ? undefined : { dataset: first.dataset, column: first.column }
    return { without, queries: group }
  })
}

function valuesOf(
  group: readonly KindQuery[],
  answers: ReadonlyMap<KindQuery, ReadonlyMap<string, ArrayLike<number>>>,
  value: (query: KindQuery, rows: ArrayLike<number>) => number,
): MeasuredKind['systems'] {
  const names = group.slice(0, 1).flatMap((query) => [...(answers.get(query)?.keys() ?? [])])
  const bySystem = names.map((name) =>
    group.map((query) => value(query, answers.get(query)?.get(name) ?? [])),
  )
  const [first = []] = bySystem
  return names.map((name, system) => {
    const own = bySystem[system] ?? []
    return { name, value: meanOf(own), ...(system > 0 && { behind: compare(first, own) }) }
  })
}

function groupBy<T>(values: readonly T[], keyOf: (value: T) => string): ReadonlyMap<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const value of values) getOrAdd(groups, keyOf(value), () => []).push(value)
  return groups
}
