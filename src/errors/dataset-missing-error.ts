/** A dataset that the catalogue does not hold. `remedy` mends it. */
export class DatasetMissingError extends Error {
  override readonly name = 'DatasetMissingError'
  readonly remedy = 'synoptic data import'

  constructor(dataset: string) {
    super(`The ${dataset} dataset is not installed.`)
  }
}
