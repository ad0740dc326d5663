/** The engine has no index of what is served now; the cause says what differs. `remedy` is the command that makes one. */
export class IndexMismatchError extends Error {
  override readonly name = 'IndexMismatchError'
  readonly remedy: string

  constructor(dataset: string, model: string, options?: ErrorOptions) {
    super(
      `The search engine has no index of this version of the ${dataset} dataset by the model ${model}.`,
      options,
    )
    this.remedy = `synoptic embed publish --dataset ${dataset} --model ${model}`
  }
}
