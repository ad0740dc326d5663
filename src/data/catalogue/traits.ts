/**
 * What makes works alike: tags and genres, whom and as what they are made for, and by whom. A tag or genre counts its
 * degree times a power of its inverse document frequency ln(1 + N / n): with the whole of it, rare tags decide alone.
 * People, an audience and a form have no idf. Weights: tools/fit-ranker, "like".
 */
import type { FactKind, FactList, FactLists } from './fact-lists.js'
import { tagDegrees } from './tag-degrees.js'

export const traitKinds = ['tag', 'genre', 'audience', 'person', 'form'] as const
export type TraitKind = (typeof traitKinds)[number]

export interface Trait {
  readonly kind: TraitKind
  /** A tag as its key, others in lower case. */
  readonly name: string
  readonly rows: Uint32Array
  /** One a row of `rows`. */
  readonly weights: Float32Array
}

/** A tag of full degree counts 1. */
const genreWeight = 0.9
const audienceWeight = 1.5
const formWeight = 1.5
/** Of an author or a director. */
const personWeight = 1
const idfPower = 0.25

/** Types whose works tell the same story alike. */
const seriesTypes = new Set(['tv', 'ova', 'ona', 'special'])

/** The lists of a kind by their values in lower case; the last of equal ones counts. */
const byName = (lists: readonly FactList[], wanted: FactKind) =>
  new Map(
    lists
      .filter(({ kind }) => kind === wanted)
      .map(({ value, rows }) => [value.toLowerCase(), rows] as const),
  )

export function* traitsOf({ lists, rowCount }: Pick<FactLists, 'lists' | 'rowCount'>) {
  const idf = (rows: Uint32Array) => Math.log(1 + rowCount / rows.length) ** idfPower
  const known = new Uint8Array(rowCount)
  for (const { kind, value, rows, weights } of lists) {
    if (kind !== 'tag') continue
    for (const row of rows) known[row] = 1
    const weight = idf(rows)
    const degrees = Float32Array.from(rows, (_, at) => tagDegrees[weights?.[at] ?? 2] ?? 1)
    yield trait('tag', value, rows, (at) => (degrees[at] ?? 0) * weight)
  }
  for (const [name, rows] of byName(lists, 'genre')) {
    for (const row of rows) known[row] = 1
    const weight = genreWeight * idf(rows)
    yield trait('genre', name, rows, () => weight)
  }
  // They say nothing about a work without more data.
  const knownOf = (rows: Uint32Array) => rows.filter((row) => known[row] === 1)
  for (const [name, rows] of byName(lists, 'audience'))
    yield trait('audience', name, knownOf(rows), () => audienceWeight)
  for (const [name, rows] of byName(lists, 'person'))
    if (rows.length > 1) yield trait('person', name, knownOf(rows), () => personWeight)
  const types = byName(lists, 'type')
  const series = [...types]
    .filter(([type]) => seriesTypes.has(type))
    .flatMap(([, rows]) => [...rows])
  if (series.length > 0)
    yield trait('form', 'series', knownOf(Uint32Array.from(series).sort()), () => formWeight)
  for (const [type, rows] of types)
    if (!seriesTypes.has(type)) yield trait('form', type, knownOf(rows), () => formWeight)
}

const trait = (
  kind: TraitKind,
  name: string,
  rows: Uint32Array,
  weightOf: (at: number) => number,
): Trait => ({ kind, name, rows, weights: Float32Array.from(rows, (_, at) => weightOf(at)) })
