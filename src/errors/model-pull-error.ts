/** A model that could not be fetched, for a reason on this side of the hub. */
export class ModelPullError extends Error {
  override readonly name = 'ModelPullError'

  constructor(model: string, problem: string, options?: ErrorOptions) {
    super(`The model ${model} was not pulled: ${problem}.`, options)
  }
}
