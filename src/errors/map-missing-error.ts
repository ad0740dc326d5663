/** The dataset has no map, or one of other texts. `remedy` is the command that makes it. */
export class MapMissingError extends Error {
  override readonly name = 'MapMissingError'
  readonly remedy: string

  constructor(dataset: string) {
    super(`There is no map of the ${dataset} dataset as it is now.`)
    this.remedy = `synoptic embed build --map --dataset ${dataset}`
  }
}
