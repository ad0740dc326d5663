/** How alike works are by their traits (src/data/catalogue/traits.ts): the cosine of their vectors. */
import { LRUCache } from 'lru-cache'
import { addList, divideByNorms } from '../../native/addon/row-passes.js'
import type { RowTraits } from '../../data/catalogue/row-facts.js'
import type { DatasetFacts } from './dataset-facts.js'

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

function isLeftOut({ kindOf, nameOf }: RowTraits, trait: number, leftOut: LeftOut): boolean {
  const kind = kindOf(trait)
  if (kind === 'tag') return leftOut.tags?.has(nameOf(trait)) === true
  if (kind === 'genre') return leftOut.genres?.has(nameOf(trait)) === true
  return kind !== 'person' && leftOut[kind] === true
}

const isNothing = ({ tags, genres, audience = false, form = false }: LeftOut): boolean =>
  !tags?.size && !genres?.size && !audience && !form

export function createSimilarWorks({
  rowCount,
  traits,
}: Pick<DatasetFacts, 'rowCount' | 'traits'>): SimilarWorks {
  const { norms, traitsOf, rowsOf, weightsOf, kindOf } = traits

  /** Of the rows together: the mean of their vectors of length 1, by the number of the trait. */
  function vectorOf(rows: readonly number[], leftOut: LeftOut): Map<number, number> {
    const vector = new Map<number, number>()
    for (const row of rows) {
      for (const trait of traitsOf(row)) {
        if (isLeftOut(traits, trait, leftOut)) continue
        const weight = weightsOf(trait)[positionOf(rowsOf(trait), row)] ?? 0
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
    const isTagOrGenre = (trait: number) => ['tag', 'genre'].includes(kindOf(trait))
    const add = (trait: number, value: number, onlyAlike: boolean) =>
      addList(
        similarities,
        { rows: rowsOf(trait), weights: weightsOf(trait) },
        value / length,
        onlyAlike,
      )
    for (const [trait, value] of vector) if (isTagOrGenre(trait)) add(trait, value, false)
    // Works that have no more in common than that they are for girls are not alike.
    for (const [trait, value] of vector) if (!isTagOrGenre(trait)) add(trait, value, true)
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
