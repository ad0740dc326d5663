/** Weights before and after a fit, on the half that fitted them and on the one that judges. */
import type { FitWeights } from '../ranking/weigh-fit.js'
import { compare, type Estimate } from './figures.js'
import { type Gathered, worthOf, worthOfAll } from './fit-weights.js'
import { table } from './report.js'

export interface Halves {
  readonly fitting: readonly Gathered[]
  readonly judging: readonly Gathered[]
}

export function describeComparison(
  { fitting, judging }: Halves,
  before: FitWeights,
  after: FitWeights,
): { readonly text: string; readonly isBetter: boolean } {
  const names = Object.keys(before) as (keyof FitWeights)[]
  const weights = table([
    ['weight', 'before', 'after'],
    ...names.map((name) => [name, `${before[name]}`, `${after[name]}`]),
  ])
  const kinds = [...new Set(judging.map(({ query }) => query.kind))]
  const ofKind = (half: readonly Gathered[], kind: string) =>
    half.filter(({ query }) => query.kind === kind)
  const figures = table([
    ['kind', 'queries', 'before', 'after', 'gain of the half that judges'],
    ...kinds.map((kind) => {
      const own = ofKind(judging, kind)
      const gain = compare(worths(own, after), worths(own, before))
      return [
        kind,
        `${own.length}`,
        worthOfAll(own, before).toFixed(3),
        worthOfAll(own, after).toFixed(3),
        interval(gain),
      ]
    }),
    meanRow('mean of the kinds', judging, before, after),
    meanRow('the half that fitted', fitting, before, after),
  ])
  const isBetter = worthOfAll(judging, after) > worthOfAll(judging, before)
  return { text: `${weights}\n${figures}\n`, isBetter }
}

const worths = (half: readonly Gathered[], weights: FitWeights) =>
  half.map((one) => worthOf(one, weights))

const meanRow = (
  name: string,
  half: readonly Gathered[],
  before: FitWeights,
  after: FitWeights,
) => [
  name,
  `${half.length}`,
  worthOfAll(half, before).toFixed(3),
  worthOfAll(half, after).toFixed(3),
  interval(compare(worths(half, after), worths(half, before))),
]

const interval = ({ value, low, high }: Estimate) =>
  `${value.toFixed(3)} (${low.toFixed(3)} to ${high.toFixed(3)})`
