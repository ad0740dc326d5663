/** The dataset has no embeddings by an installed model. `remedy` is the command that builds them. */
export class EmbeddingsMissingError extends Error {
  override readonly name = 'EmbeddingsMissingError'
  readonly remedy: string

  constructor(dataset: string, model: string, options?: ErrorOptions) {
    super(`The ${dataset} dataset has no embeddings by the model ${model}.`, options)
    this.remedy = `synoptic embed build --dataset ${dataset} --model ${model}`
  }
}
