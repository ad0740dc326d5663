/** Pairs rows of a source with works of the same title. A row and a work match at most once. */
import { contradict, exactTitle, titleKey } from './titles.js'
import type { RowKey, Work } from './work.js'

export interface TitleMatches {
  readonly workOf: ReadonlyMap<RowKey, Work>
  /** Rows that competed for a work, or matched several works. */
  readonly ambiguous: readonly RowKey[]
  /** Rows whose namesakes all have another type or year. */
  readonly contradicted: readonly RowKey[]
}

interface Pair {
  readonly row: RowKey
  readonly work: Work
  /** Position of the work, the last resort of the order. */
  readonly position: number
  /** How well the titles agree: 2 to the letter, 1 but for punctuation, 0 by another title. */
  readonly closeness: number
  /** Type and year that are known and the same. */
  readonly agreement: number
}

/** Pairs the closest titles first, then those with more facts in common, then by the order of the files. */
export function matchTitles(works: readonly Work[], rows: readonly RowKey[]): TitleMatches {
  const index = indexTitles(works)
  const pairs: Pair[] = []
  const contradicted: RowKey[] = []
  for (const row of rows) {
    const namesakes = findNamesakes(index, row)
    const possible = [...namesakes].filter(([work]) => !contradict(work, row))
    if (namesakes.size > 0 && possible.length === 0) contradicted.push(row)
    for (const [work, position] of possible) pairs.push(comparePair(row, work, position))
  }
  return { ...assign(pairs), contradicted }
}

type TitleIndex = ReadonlyMap<string, readonly { readonly work: Work; readonly position: number }[]>

function indexTitles(works: readonly Work[]): TitleIndex {
  const index = new Map<string, { work: Work; position: number }[]>()
  works.forEach((work, position) => {
    for (const key of new Set([work.title, ...work.alternativeTitles].map(titleKey))) {
      const namesakes = index.get(key)
      if (namesakes === undefined) index.set(key, [{ work, position }])
      else namesakes.push({ work, position })
    }
  })
  return index
}

function findNamesakes(index: TitleIndex, row: RowKey): ReadonlyMap<Work, number> {
  const found = new Map<Work, number>()
  for (const title of [row.title, ...row.alternativeTitles]) {
    for (const { work, position } of index.get(titleKey(title)) ?? []) found.set(work, position)
  }
  return found
}

function comparePair(row: RowKey, work: Work, position: number): Pair {
  let closeness = 0
  if (exactTitle(row.title) === exactTitle(work.title)) closeness = 2
  else if (titleKey(row.title) === titleKey(work.title)) closeness = 1
  const sameType = row.type !== null && row.type === work.type
  const sameYear = row.year !== null && row.year === work.year
  return { row, work, position, closeness, agreement: Number(sameType) + Number(sameYear) }
}

function assign(pairs: readonly Pair[]): Pick<TitleMatches, 'workOf' | 'ambiguous'> {
  const workOf = new Map<RowKey, Work>()
  const taken = new Set<Work>()
  const choicesOfRow = new Map<RowKey, number>()
  const rivalsOfWork = new Map<Work, number>()
  for (const { row, work } of pairs) {
    choicesOfRow.set(row, (choicesOfRow.get(row) ?? 0) + 1)
    rivalsOfWork.set(work, (rivalsOfWork.get(work) ?? 0) + 1)
  }
  const ambiguous = new Set<RowKey>()
  for (const { row, work } of [...pairs].sort(byQuality)) {
    if ((choicesOfRow.get(row) ?? 0) > 1 || (rivalsOfWork.get(work) ?? 0) > 1) ambiguous.add(row)
    if (workOf.has(row) || taken.has(work)) continue
    workOf.set(row, work)
    taken.add(work)
  }
  const byLine = [...ambiguous].sort((one, other) => one.line - other.line)
  return { workOf, ambiguous: byLine }
}

function byQuality(one: Pair, other: Pair): number {
  return (
    other.closeness - one.closeness ||
    other.agreement - one.agreement ||
    one.row.line - other.row.line ||
    one.position - other.position
  )
}
