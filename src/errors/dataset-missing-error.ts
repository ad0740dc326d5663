/** A dataset that is not in the catalogue. `remedy` is the command that adds it. */
export class DatasetMissingError extends Error {
  override readonly name = 'DatasetMissingError'
  readonly remedy = 'synoptic data import'

  constructor(dataset: string) {
    super(`The ${dataset} dataset is not installed.`)
  }
}
