/** A model that could not be fetched from its hub, for a reason that lies on this side of it. */
export class ModelPullError extends Error {
  override readonly name = 'ModelPullError'

  constructor(model: string, problem: string, options?: ErrorOptions) {
    super(`The model ${model} was not pulled: ${problem}.`, options)
  }
}
