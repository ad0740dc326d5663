/** A dataset without embeddings of a model that is otherwise there. `remedy` mends it. */
export class EmbeddingsMissingError extends Error {
  override readonly name = 'EmbeddingsMissingError'
  readonly remedy: string

  constructor(dataset: string, model: string, options?: ErrorOptions) {
    super(`The ${dataset} dataset has no embeddings of the model ${model}.`, options)
    this.remedy = `synoptic embed build --dataset ${dataset} --model ${model}`
  }
}
