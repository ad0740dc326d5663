/** Facts of works that a test makes up. */
import type { EntryFacts } from '#synoptic/data/catalogue/entry-facts.js'
import { createFactListsBuilder, type FactSource } from '#synoptic/data/catalogue/fact-lists.js'
import { createDatasetFacts } from '#synoptic/search/facts/dataset-facts.js'

type Changes = Partial<Omit<FactSource, 'facts'>> & EntryFacts
export const unknown: FactSource = {
  type: null,
  year: null,
  score: null,
  genres: [],
  metadata: {},
}

export const work = ({
  type = null,
  year = null,
  score = null,
  genres = [],
  ...facts
}: Changes) => ({
  ...unknown,
  type,
  year,
  score,
  genres,
  facts,
})

export const factsOf = (works: readonly FactSource[], popularity?: Float32Array) => {
  const builder = createFactListsBuilder()
  for (const one of works) builder.add(one)
  return createDatasetFacts(builder.build(), popularity)
}
