/**
 * How alike works are: by what people recommend, by tags, genres and form, by their texts, by when they were made, and
 * how well known they are. native/core/rows/likeness.h computes it for every work.
 */
import { constants } from '../../base/constants/constants.js'
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
  /** Whether recommendations count less: they know nothing of what else the query requests. */
  readonly recommended?: boolean
}

/** How far apart years and popularities count: twenty years, and up to the first few of a hundred works. */
const eraYears = 20
const maxPopularity = 4

export function likenessRules({
  tags,
}: {
  readonly tags: { readonly size: number }
}): LikenessRules {
  const { likeness } = constants()
  return {
    textShare: tags.size > 0 ? likeness.text : likeness.textWithoutTags,
    recommendedWeight: likeness.recommended,
    recommendedShare: likeness.recommendedShare,
    eraWeight: likeness.era,
    eraYears,
    popularityWeight: likeness.popularity,
    maxPopularity,
    otherShare: likeness.notMain,
  }
}

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
    recommendedCount:
      ignored.recommended === true ? constants().likeness.recommendedWithRequests : 1,
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
