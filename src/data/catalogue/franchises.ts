/** Works by franchise, and the main work of each. */
import type { FactList } from './fact-lists.js'

export interface Series {
  /** Number of each row's franchise, -1 where unknown. */
  readonly franchises: Int32Array
  /** 1 for the main work of a franchise, and for a work without one. */
  readonly isMain: Uint8Array
}

/** A remake that is so much better known than the first work, in e-folds of its rank, is the main work of the franchise. */
const betterKnown = 0.5

/** @param popularity of each row; NaN where unknown */
export function placeInFranchises(popularity: Float32Array, lists: readonly FactList[]): Series {
  const franchises = new Int32Array(popularity.length).fill(-1)
  lists
    .filter(({ kind }) => kind === 'franchise')
    .forEach(({ rows }, number) => {
      for (const row of rows) franchises[row] = number
    })
  const relations = lists.filter(({ kind }) => kind === 'relation')
  const isMain = new Uint8Array(popularity.length).fill(1)
  for (const { value, rows } of relations) {
    if (value === 'main') continue
    for (const row of rows) if (franchises[row] !== -1) isMain[row] = 0
  }
  const rowsOf = (relation: string) => relations.find(({ value }) => value === relation)?.rows ?? []
  const mains = new Map(Array.from(rowsOf('main'), (row) => [franchises[row], row]))
  for (const row of rowsOf('remake')) {
    const main = mains.get(franchises[row])
    if (main === undefined || franchises[row] === -1) continue
    const lead = (popularity[row] ?? NaN) - (popularity[main] ?? NaN)
    if (!(lead >= betterKnown)) continue
    ;[isMain[main], isMain[row]] = [0, 1]
    mains.set(franchises[row], row)
  }
  return { franchises, isMain }
}

/** The main work of each franchise; of several the last. */
export function mainRows({ franchises, isMain }: Series): Map<number, number> {
  const mains = new Map<number, number>()
  franchises.forEach((franchise, row) => {
    if (franchise >= 0 && isMain[row] === 1) mains.set(franchise, row)
  })
  return mains
}
