/** A dataset that is not in the catalogue. `remedy` adds that of the included works. */
export class DatasetMissingError extends Error {
  override readonly name = 'DatasetMissingError'
  readonly remedy: string

  constructor(dataset: string) {
    super(`The ${dataset} dataset is not installed.`)
    this.remedy = `synoptic data import data/works/${dataset}.json`
  }
}
