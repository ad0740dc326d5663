/** Figures of a list of ranks, each with its interval of 95 %. */

/** Rank of the first expected entry, from 1; undefined where it is not in the list. */
export type Rank = number | undefined

export interface Estimate {
  readonly value: number
  readonly low: number
  readonly high: number
}

export interface Figures {
  /** Mean of 1 / rank, 0 beyond rank ten. */
  readonly mrrAt10: Estimate
  /** Shares of the queries whose entry is among the first so many. */
  readonly recallAt1: Estimate
  readonly recallAt10: Estimate
  readonly recallAt100: Estimate
}

/** @param ranks at least one */
export function figuresOf(ranks: readonly Rank[]): Figures {
  const reciprocals = ranks.map((rank = Infinity) => (rank <= 10 ? 1 / rank : 0))
  const recallAt = (depth: number) =>
    wilson(ranks.filter((rank = Infinity) => rank <= depth).length, ranks.length)
  return {
    mrrAt10: bootstrapMean(reciprocals),
    recallAt1: recallAt(1),
    recallAt10: recallAt(10),
    recallAt100: recallAt(100),
  }
}

/** The normal deviate of a two-sided interval of 95 %. */
const deviate = 1.959963984540054

/** Wilson's score interval, which holds for shares near 0 and 1 too (Wilson 1927). */
function wilson(found: number, count: number): Estimate {
  const share = found / count
  const shrink = 1 + deviate ** 2 / count
  const centre = (share + deviate ** 2 / (2 * count)) / shrink
  const spread =
    (deviate / shrink) * Math.sqrt((share * (1 - share)) / count + deviate ** 2 / (4 * count ** 2))
  const [low, high] = [Math.max(0, centre - spread), Math.min(1, centre + spread)]
  return { value: share, low, high }
}

const resamples = 2000

/** The percentile bootstrap, for reciprocal ranks are far from normal (Efron 1979). */
function bootstrapMean(values: readonly number[]): Estimate {
  const random = generator()
  const means = Float64Array.from({ length: resamples }, () => {
    const draw = () => values[Math.floor(random() * values.length)] ?? 0
    return values.reduce((sum) => sum + draw(), 0) / values.length
  }).sort()
  const at = (share: number) => means[Math.round(share * (resamples - 1))] ?? 0
  const value = values.reduce((sum, one) => sum + one, 0) / values.length
  return { value, low: at(0.025), high: at(0.975) }
}

/** The mean of values, with its interval. */
export const meanOf = (values: readonly number[]): Estimate => bootstrapMean(values)

/** How much greater the first are than the others, query by query: pairs are drawn, not values. */
export const compare = (first: readonly number[], others: readonly number[]): Estimate =>
  bootstrapMean(first.map((value, position) => value - (others[position] ?? 0)))

/** mulberry32 from a fixed seed: the same ranks give the same interval. */
function generator(): () => number {
  let state = 0x5eed
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
