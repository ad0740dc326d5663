/** Facts of works that a test makes up. */
import type { EntryFacts } from '#synoptic/data/catalogue/entry-facts.js'
import type { FactSource } from '#synoptic/data/catalogue/fact-lists.js'
import { openRowFacts, type RowFacts } from '#synoptic/data/catalogue/row-facts.js'
import { createDatasetFacts } from '#synoptic/search/facts/dataset-facts.js'
import { indexOf } from '../catalogue/make-names.js'

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

export const rowFactsOf = (works: readonly FactSource[], popularity?: Float32Array): RowFacts =>
  openRowFacts(indexOf(works, popularity && { popularity }))

export const factsOf = (works: readonly FactSource[], popularity?: Float32Array) =>
  createDatasetFacts(rowFactsOf(works, popularity))
