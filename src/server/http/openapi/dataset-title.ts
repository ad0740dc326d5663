import type { DatasetName } from '../../../data/catalogue/catalogue.js'

/** Its name in ids of operations and at the beginning of sentences. */
export const titleOf = (dataset: DatasetName): 'Anime' | 'Manga' =>
  dataset === 'anime' ? 'Anime' : 'Manga'
