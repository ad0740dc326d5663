import type { DatasetName } from '../../../data/catalogue/catalogue.js'

/** Its name in ids of operations and at the beginning of sentences. */
export const titleOf = (dataset: DatasetName): string =>
  dataset.slice(0, 1).toUpperCase() + dataset.slice(1).replaceAll('-', '_')
