/**
 * How alike works are: by what people recommend, by tags, genres and form, by their texts, by when they were made, and
 * how well known they are. native/core/rows/likeness.h computes it for every work.
 */
import type { Cosines, LikenessRules, PlannedExample } from '../../native/addon/rank-plan.js'
import type { RowTraits } from '../../data/catalogue/row-facts.js'
import type { DatasetFacts } from '../facts/dataset-facts.js'

/** Traits of works that a query replaces, such as what is funny of a work in `X but serious`. */
interface LeftOut {
  readonly tags?: ReadonlySet<string>
  /** In lower case. */
  readonly genres?: ReadonlySet<string>
  readonly audience?: boolean
  readonly form?: boolean
}

export interface IgnoredTraits extends LeftOut {
  /** Whether the time of the work does not count. */
  readonly era?: boolean
  /** Whether recommendations count half: they know nothing of what else the query requests. */
  readonly recommended?: boolean
}

/** Of recommendations, where the query has requests, too. */
const withRequests = 0.5

export const likenessRules = ({
  tags,
}: {
  readonly tags: { readonly size: number }
}): LikenessRules => ({
  // Weight of the cosine of texts next to tags; next to genres alone, it is half.
  textShare: tags.size > 0 ? 0.1 : 0.5,
  // What the most recommended work gains: this, and this share of its other likeness.
  recommendedWeight: 0.05,
  recommendedShare: 0.25,
  // What the cosine of two franchises' neighbours counts: other lists name both.
  togetherShare: 0.8,
  // What works of the same year have more than works that are twenty years apart.
  eraWeight: 0.05,
  eraYears: 20,
  // What an e-fold of popularity adds, up to the first few of a hundred: who knows a work knows the best known, too.
  popularityWeight: 0.035,
  maxPopularity: 4,
  // Who likes a work is not served by the third season of another.
  otherShare: 0.8,
})

/**
 * A work that others should be like.
 * @param cosines of each row's texts with those of the work
 * @param ignored what of the work does not count
 */
export function exampleOf(
  { years, traits }: Pick<DatasetFacts, 'years' | 'traits'>,
  row: number,
  cosines?: Cosines,
  ignored: IgnoredTraits = {},
): PlannedExample {
  return {
    row,
    year: ignored.era === true ? 0 : (years[row] ?? 0),
    recommendedCount: ignored.recommended === true ? withRequests : 1,
    ignored: isNothing(ignored)
      ? []
      : Array.from(traits.traitsOf(row)).filter((trait) => isLeftOut(traits, trait, ignored)),
    cosines,
  }
}

function isLeftOut({ kindOf, nameOf }: RowTraits, trait: number, leftOut: LeftOut): boolean {
  const kind = kindOf(trait)
  if (kind === 'tag') return leftOut.tags?.has(nameOf(trait)) === true
  if (kind === 'genre') return leftOut.genres?.has(nameOf(trait)) === true
  return kind !== 'person' && leftOut[kind] === true
}

const isNothing = ({ tags, genres, audience = false, form = false }: LeftOut): boolean =>
  !tags?.size && !genres?.size && !audience && !form
