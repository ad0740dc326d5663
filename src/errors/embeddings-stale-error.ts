/** Embeddings that were made from another version of the dataset or the model. `remedy` mends it. */
export class EmbeddingsStaleError extends Error {
  override readonly name = 'EmbeddingsStaleError'
  readonly remedy: string

  constructor(dataset: string, model: string, options?: ErrorOptions) {
    super(
      `The ${dataset} dataset's embeddings of the model ${model} do not match what is served now.`,
      options,
    )
    this.remedy = `synoptic embed build --dataset ${dataset} --model ${model}`
  }
}
