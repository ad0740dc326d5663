/**
 * How alike works are by their tags and genres, and by whom and as what they are made for: the cosine of their
 * vectors. A tag or genre counts its degree times a power of its inverse document frequency ln(1 + N / n): with the
 * whole of it, rare tags decide alone. People, an audience and a form have no idf. Weights: tools/fit-ranker, "like".
 */
import { LRUCache } from 'lru-cache'
import { addList, divideByNorms } from '../../native/addon/row-passes.js'
import type { DatasetFacts, RowList } from './dataset-facts.js'

export interface SimilarWorks {
  /**
   * The similarity of each row to the rows together, 0 to 1; 0 where neither tags nor genres are known.
   * @param leftOut what of the rows does not count
   */
  similarTo(rows: readonly number[], leftOut?: LeftOut): Float32Array
}

/** Traits of works that a query replaces, such as what is funny of a work in `X but serious`. */
export interface LeftOut {
  readonly tags?: ReadonlySet<string>
  /** In lower case. */
  readonly genres?: ReadonlySet<string>
  readonly audience?: boolean
  readonly form?: boolean
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

interface Trait {
  readonly kind: 'tag' | 'genre' | 'person' | 'audience' | 'form'
  readonly name: string
  readonly rows: RowList
  /** One a row of `rows`. */
  readonly weights: Float32Array
}

function* traitsOf(facts: DatasetFacts): Iterable<Trait> {
  const { tags, genres, people, audiences, types, rowCount } = facts
  const idf = (rows: RowList) => Math.log(1 + rowCount / rows.length) ** idfPower
  for (const [name, { rows, degrees }] of tags) {
    const weight = idf(rows)
    yield { kind: 'tag', name, rows, weights: degrees.map((degree) => degree * weight) }
  }
  const known = new Uint8Array(rowCount)
  for (const { rows } of tags.values()) for (const row of rows) known[row] = 1
  const flat = (kind: Trait['kind'], name: string, rows: RowList, weight: number): Trait => ({
    kind,
    name,
    rows,
    weights: new Float32Array(rows.length).fill(weight),
  })
  for (const [name, rows] of genres) {
    for (const row of rows) known[row] = 1
    yield flat('genre', name, rows, genreWeight * idf(rows))
  }
  // They say nothing about a work without more data.
  const knownOf = (rows: RowList) => rows.filter((row) => known[row] === 1)
  for (const [name, rows] of audiences) {
    yield flat('audience', name, knownOf(rows), audienceWeight)
  }
  for (const [name, rows] of people) {
    if (rows.length > 1) yield flat('person', name, knownOf(rows), personWeight)
  }
  const series = [...types]
    .filter(([type]) => seriesTypes.has(type))
    .flatMap(([, rows]) => [...rows])
  if (series.length > 0) {
    yield flat('form', 'series', knownOf(Uint32Array.from(series).sort()), formWeight)
  }
  for (const [type, rows] of types) {
    if (!seriesTypes.has(type)) yield flat('form', type, knownOf(rows), formWeight)
  }
}

const isLeftOut = ({ kind, name }: Trait, leftOut: LeftOut): boolean =>
  kind === 'tag'
    ? leftOut.tags?.has(name) === true
    : kind === 'genre'
      ? leftOut.genres?.has(name) === true
      : kind !== 'person' && leftOut[kind] === true

const isNothing = ({ tags, genres, audience = false, form = false }: LeftOut): boolean =>
  !tags?.size && !genres?.size && !audience && !form

export function createSimilarWorks(facts: DatasetFacts): SimilarWorks {
  const { rowCount } = facts
  const traits = [...traitsOf(facts)]
  const norms = new Float64Array(rowCount)
  const traitsOfRow = Array.from({ length: rowCount }, (): number[] => [])
  traits.forEach(({ rows, weights }, trait) => {
    rows.forEach((row, position) => {
      norms[row] = (norms[row] ?? 0) + (weights[position] ?? 0) ** 2
      traitsOfRow[row]?.push(trait)
    })
  })
  norms.forEach((sum, row) => (norms[row] = Math.sqrt(sum)))

  /** Of the rows together: the mean of their vectors of length 1. */
  function vectorOf(rows: readonly number[], leftOut: LeftOut): Map<Trait, number> {
    const vector = new Map<Trait, number>()
    for (const row of rows) {
      for (const number of traitsOfRow[row] ?? []) {
        const trait = traits[number]
        if (trait === undefined || isLeftOut(trait, leftOut)) continue
        const weight = trait.weights[positionOf(trait.rows, row)] ?? 0
        const value = weight / (norms[row] ?? 1) / rows.length
        vector.set(trait, (vector.get(trait) ?? 0) + value)
      }
    }
    return vector
  }

  function compare(rows: readonly number[], leftOut: LeftOut): Float32Array {
    const similarities = new Float32Array(rowCount)
    const vector = vectorOf(rows, leftOut)
    const length = Math.hypot(...vector.values())
    if (length === 0) return similarities
    const isTagOrGenre = ({ kind }: Trait) => kind === 'tag' || kind === 'genre'
    for (const [trait, value] of vector) {
      if (isTagOrGenre(trait)) addList(similarities, trait, value / length, false)
    }
    // Works that have no more in common than that they are for girls are not alike.
    for (const [trait, value] of vector) {
      if (!isTagOrGenre(trait)) addList(similarities, trait, value / length, true)
    }
    divideByNorms(similarities, norms)
    return similarities
  }

  const recent = new LRUCache<number, Float32Array>({ max: recentWorks })
  return {
    similarTo(rows, leftOut = {}) {
      const [row = -1, ...others] = rows
      if (others.length > 0 || !isNothing(leftOut)) return compare(rows, leftOut)
      const known = recent.get(row) ?? compare(rows, {})
      recent.set(row, known)
      return known.slice()
    },
  }
}

/** A search needs the likeness to a named work twice: to choose whose texts to compare, and next to these texts. */
const recentWorks = 16

/** The position of a row in an ascending list that has it. */
function positionOf(list: Uint32Array, row: number): number {
  let [low, high] = [0, list.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((list[middle] ?? 0) < row) low = middle + 1
    else high = middle
  }
  return low
}
