/**
 * How alike works are: by what people recommend, by tags, genres and form, by their texts, by when they were made, and
 * how well known they are.
 */
import type { DatasetFacts } from '../facts/dataset-facts.js'
import type { LeftOut, SimilarWorks } from '../facts/similar-works.js'
import { topHits } from '../../data/lexical/top-hits.js'
import { mixLikeness } from '../../native/addon/row-passes.js'
import { maskOf, type RowMask } from '../../base/util/row-mask.js'

/** Weight of the cosine of texts next to tags; next to genres alone, it is half. */
const textShare = 0.1
const textShareWithoutTags = 0.5
/** What works of the same year have more than works that are twenty years apart. */
const eraWeight = 0.05
const eraYears = 20
/** What an e-fold of popularity adds, up to the first few of a hundred: who knows a work knows the best known, too. */
const popularityWeight = 0.035
const maxPopularity = 4
/** What the most recommended work gains: this, and this share of its other likeness. */
const recommendedWeight = 0.05
const recommendedShare = 0.25
/** Of both, where the query has requests, too. */
const withRequests = 0.5

export interface IgnoredTraits extends LeftOut {
  /** Whether the time of the work does not count. */
  readonly era?: boolean
  /** Whether recommendations count half: they know nothing of what else the query requests. */
  readonly recommended?: boolean
}

type LikenessFacts = Pick<
  DatasetFacts,
  'tags' | 'years' | 'popularity' | 'franchises' | 'recommended'
>

/**
 * One a row: up to 1, up to 1.3 for what people recommend with the work, and a little more for works of its time
 * and for well-known works. Where nothing is known of tags, texts or recommendations, they count 0.
 * @param cosines of each row's texts with those of the work; NaN where there is none
 * @param ignored what of the work does not count
 */
export function likenessTo(
  { tags, years, popularity, franchises, recommended }: LikenessFacts,
  similarWorks: SimilarWorks,
  row: number,
  cosines: Float32Array | undefined,
  ignored: IgnoredTraits = {},
): Float32Array {
  const share = tags.size > 0 ? textShare : textShareWithoutTags
  const year = ignored.era === true ? 0 : (years[row] ?? 0)
  const likeness = similarWorks.similarTo([row], ignored)
  const counted = ignored.recommended === true ? withRequests : 1
  const recommendedTo = recommended.to(franchises[row] ?? -1)
  const columns = { years, popularity, franchises, recommended: recommendedTo, cosines }
  mixLikeness(likeness, columns, {
    textShare: share,
    recommendedCount: counted,
    recommendedShare,
    recommendedWeight,
    eraWeight,
    eraYears,
    popularityWeight,
    maxPopularity,
    year,
  })
  return likeness
}

/** Texts of works that are less like a work by their tags do not bring them among the first. */
const maxCompared = 1000

/**
 * The rows whose texts are worth comparing with those of a row: the likest by tags, since to compare all takes 12 ms of
 * 60,000 rows. The whole mask where there are too few tags.
 */
export function rowsToCompare(
  facts: LikenessFacts & Pick<DatasetFacts, 'rowCount'>,
  similarWorks: SimilarWorks,
  row: number,
  mask: RowMask | undefined,
): RowMask | undefined {
  if (facts.tags.size === 0) return mask
  const likeness = likenessTo(facts, similarWorks, row, undefined)
  const hits = topHits(likeness, maxCompared, { above: 0, mask })
  if (hits.length < maxCompared) return mask
  return maskOf(
    facts.rowCount,
    hits.map((hit) => hit.row),
  )
}
