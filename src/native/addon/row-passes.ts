/** Passes over arrays with one value a row, in the core: native/core/rows/row_passes.h says what each computes. */
import type { RowMask } from '../../base/util/row-mask.js'
import { loadAddon } from './addon.js'

const largestCount = 2 ** 32 - 1

/** The first `limit` rows by score, ties by row, of those above the bound that pass. */
export const topRows = (
  scores: Float32Array,
  limit: number,
  above: number,
  mask: RowMask | undefined,
): Uint32Array => loadAddon().topRows(scores, Math.min(limit, largestCount), above, mask)

/** Adds the weights of a list's rows, times the value, to the sums; with `onlyAlike` where the sum is above 0. */
export function addList(
  sums: Float32Array,
  { rows, weights }: { readonly rows: Uint32Array; readonly weights: Float32Array },
  value: number,
  onlyAlike: boolean,
): void {
  loadAddon().addList(sums, rows, weights, value, onlyAlike)
}

/** Divides sums above 0. */
export function divideByNorms(sums: Float32Array, norms: Float64Array): void {
  loadAddon().divideByNorms(sums, norms)
}

/** Adds a share of the likeness, another one where a row is not the main work of its franchise. */
export function addShares(
  sums: Float32Array,
  likeness: Float32Array,
  isMain: Uint8Array,
  { share, otherShare }: { readonly share: number; readonly otherShare: number },
): void {
  loadAddon().addShares(sums, likeness, isMain, share, otherShare)
}

export interface LikenessColumns {
  readonly years: Uint16Array
  readonly popularity: Float32Array
  readonly franchises: Int32Array
  /** One a franchise. */
  readonly recommended: Float32Array
  /** NaN where unknown. */
  readonly cosines: Float32Array | undefined
}

export interface LikenessWeights {
  readonly textShare: number
  readonly recommendedCount: number
  readonly recommendedShare: number
  readonly recommendedWeight: number
  readonly eraWeight: number
  readonly eraYears: number
  readonly popularityWeight: number
  readonly maxPopularity: number
  /** Of the work, 0 where it does not count. */
  readonly year: number
}

/** From the likeness by tags to that by everything, in place. */
export function mixLikeness(
  likeness: Float32Array,
  { years, popularity, franchises, recommended, cosines }: LikenessColumns,
  weights: LikenessWeights,
): void {
  const { textShare, recommendedCount, recommendedShare, recommendedWeight } = weights
  const { eraWeight, eraYears, popularityWeight, maxPopularity, year } = weights
  const inOrder = Float64Array.of(
    ...[textShare, recommendedCount, recommendedShare, recommendedWeight],
    ...[eraWeight, eraYears, popularityWeight, maxPopularity, year],
  )
  const native = loadAddon()
  native.mixLikeness(likeness, years, popularity, franchises, recommended, cosines, inOrder)
}

export interface RequestedFact {
  /** To which each row has it. */
  readonly degrees: Float32Array
  readonly share: number
  readonly weight: number
  readonly isSubject: boolean
}

export interface FulfilRules {
  readonly fewWholly: number
  readonly subjectFailure: number
  readonly rounding: number
}

/** @param fulfilled 0 of each row before */
export function fulfil(
  fulfilled: Float32Array,
  facts: readonly RequestedFact[],
  { fewWholly, subjectFailure, rounding }: FulfilRules,
): void {
  loadAddon().fulfil(
    fulfilled,
    facts.map(({ degrees }) => degrees),
    Float64Array.from(facts, ({ share }) => share),
    Float64Array.from(facts, ({ weight }) => weight),
    Uint8Array.from(facts, ({ isSubject }) => Number(isSubject)),
    Float64Array.of(fewWholly, subjectFailure, rounding),
  )
}
