/** Embeddings of another version of the dataset or the model. `remedy` is the command that rebuilds them. */
export class EmbeddingsStaleError extends Error {
  override readonly name = 'EmbeddingsStaleError'
  readonly remedy: string

  constructor(dataset: string, model: string, options?: ErrorOptions) {
    super(
      `The embeddings of the ${dataset} dataset by the model ${model} are out of date.`,
      options,
    )
    this.remedy = `synoptic embed build --dataset ${dataset} --model ${model}`
  }
}
