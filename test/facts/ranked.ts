/** Small catalogues whose works the core ranks, all of them. */
import type { FactSource } from '#synoptic/data/catalogue/fact-lists.js'
import { openRowFacts } from '#synoptic/data/catalogue/row-facts.js'
import type { Cosines, LikenessRules, PlannedExample } from '#synoptic/native/addon/rank-plan.js'
import type { RowIndex } from '#synoptic/native/addon/row-index.js'
import { createDatasetFacts, type DatasetFacts } from '#synoptic/search/facts/dataset-facts.js'
import { planFit, type QueryFit } from '#synoptic/search/knowledge/query-fit.js'
import type { Fact, Interpretation, Reading } from '#synoptic/search/reader/interpretation.js'
import { indexOf } from '../catalogue/make-names.js'

export interface RankedCatalogue {
  readonly facts: DatasetFacts
  readonly passes: RowIndex
}

export function rankedCatalogue(
  works: readonly FactSource[],
  popularity?: Float32Array,
): RankedCatalogue {
  const passes = indexOf(works, popularity && { popularity })
  return { passes, facts: createDatasetFacts(openRowFacts(passes)) }
}

/** The fit of every work, by its row. */
export async function fitOfAll(
  { facts, passes }: RankedCatalogue,
  interpretation: Pick<Interpretation, 'readings'> & Partial<Interpretation>,
  cosines?: ReadonlyMap<number, Cosines>,
): Promise<QueryFit> {
  const services = {
    facts,
    continued: new Int32Array(facts.rowCount).fill(-1),
    continuationOf: () => 0,
  }
  const planned = planFit({ text: '', explained: 1, ...interpretation }, services, cosines)
  const none = new Uint32Array(0)
  const text = { similar: none, stems: none, depth: 0, rankOffset: 60 }
  const choice = { by: 'all', count: 0, hasFit: true, text, more: none } as const
  return planned.fitOf(await passes.rank(planned.plan, choice))
}

export const reading = (fact: Fact, excluded = false): Reading => ({
  ...fact,
  begin: 0,
  end: 1,
  label: '',
  confidence: 1,
  excluded,
})

/** To which degree every work has a fact, by its row, to two digits. */
export async function degreesOf(catalogue: RankedCatalogue, fact: Fact): Promise<number[]> {
  const { requests } = await fitOfAll(catalogue, { readings: [reading(fact)] })
  return Array.from(requests[0]?.degrees ?? [], (degree) => Number(degree.toFixed(2)))
}

/** How like every work is to an example, by its row. */
export const likenessOfAll = (
  { facts, passes }: RankedCatalogue,
  likenessRules: LikenessRules,
  example: PlannedExample,
): Promise<Float32Array> => {
  const rows = Array.from(facts.years.keys())
  return passes.likenesses({ likenessRules, examples: [example], rows })
}
