/** How alike works are: by tags and genres, by their texts, and by when they were made. */
import type { DatasetFacts } from '../facts/dataset-facts.js'
import type { SimilarWorks } from '../facts/similar-works.js'

/** What the cosine of texts counts beside tags; without tags, beside genres alone, it is half. */
const textShare = 0.25
const textShareWithoutTags = 0.5
/** What works of the same year have more than works that are twenty years apart. */
const eraWeight = 0.05
const eraYears = 20

/**
 * One a row: up to 1, and `eraWeight` more for works of its time. Where nothing is known of tags or of texts, they
 * count 0.
 * @param cosines of each row's texts with those of the work; NaN where there is none
 */
export function likenessTo(
  { tags, years }: Pick<DatasetFacts, 'tags' | 'years'>,
  similarWorks: SimilarWorks,
  row: number,
  cosines: Float32Array | undefined,
): Float32Array {
  const share = tags.size > 0 ? textShare : textShareWithoutTags
  const year = years[row] ?? 0
  return similarWorks.similarTo([row]).map((similarity, other) => {
    const cosine = cosines?.[other] ?? NaN
    const alike = (1 - share) * similarity + (Number.isNaN(cosine) ? 0 : share * cosine)
    return alike === 0 ? 0 : alike + eraWeight * nearness(year, years[other] ?? 0)
  })
}

function nearness(year: number, other: number): number {
  if (year === 0 || other === 0) return 0
  return 1 - Math.min(Math.abs(year - other), eraYears) / eraYears
}
