/** What somebody likes, by works: how like every work is to those that they liked, and unlike those that they did not. */
import { constants } from '../../base/constants/constants.js'
import type { LikenessRules, PlannedExample } from '../../native/addon/rank-plan.js'
import type { RowPasses } from '../../native/addon/row-index.js'

export interface WeightedRow {
  readonly row: number
  readonly weight: number
}

export interface Taste {
  /** One a row: 1 for the work that suits best, 0 and less for those that do not suit. */
  readonly scores: Float32Array
  /** Of each of the rows, the liked rows that it is most like, the likest first. */
  readonly because: (rows: readonly number[]) => Promise<readonly (readonly number[])[]>
}

/** More works cost time and add little; those that weigh most are compared. */
const maxLiked = 60
const maxDisliked = 30
const maxReasons = 3
/** A liked work explains a result only where it is so like it, of what the likest is. */
const minReason = 0.8

export interface TasteServices {
  readonly passes: Pick<RowPasses, 'taste' | 'likenesses'>
  readonly likenessRules: LikenessRules
  readonly exampleOf: (row: number) => PlannedExample | Promise<PlannedExample>
}

export async function tasteOf(
  { passes, likenessRules, exampleOf }: TasteServices,
  liked: readonly WeightedRow[],
  disliked: readonly WeightedRow[],
  signal?: AbortSignal,
): Promise<Taste> {
  const compared = heaviest(liked, maxLiked)
  const examplesOf = async (works: readonly WeightedRow[]) => {
    const examples: PlannedExample[] = []
    for (const { row } of works) examples.push(await exampleOf(row))
    return examples
  }
  const weighted = async (works: readonly WeightedRow[]) =>
    (await examplesOf(works)).map((example, at) => ({ example, weight: works[at]?.weight ?? 0 }))
  const scores = await passes.taste(
    {
      likenessRules,
      liked: await weighted(compared),
      disliked: await weighted(heaviest(disliked, maxDisliked)),
      dislikedShare: constants().fit.disliked,
    },
    signal,
  )
  return {
    scores,
    async because(rows) {
      const examples = await examplesOf(compared)
      const likenesses = await passes.likenesses({ likenessRules, examples, rows }, signal)
      return rows.map((_, position) =>
        reasons(
          compared.map(({ row }, at) => {
            return { row, value: likenesses[at * rows.length + position] ?? 0 }
          }),
        ),
      )
    },
  }
}

function reasons(likenesses: readonly { row: number; value: number }[]): readonly number[] {
  const known = likenesses.toSorted((one, other) => other.value - one.value)
  const least = minReason * (known[0]?.value ?? 0)
  return known
    .slice(0, maxReasons)
    .filter(({ value }) => value > 0 && value >= least)
    .map((one) => one.row)
}

const heaviest = (works: readonly WeightedRow[], count: number): readonly WeightedRow[] =>
  works.toSorted((one, other) => other.weight - one.weight).slice(0, count)
