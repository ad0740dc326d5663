/** Embeddings whose files cannot be read as such; the cause says which. `remedy` mends it. */
export class EmbeddingsBrokenError extends Error {
  override readonly name = 'EmbeddingsBrokenError'
  readonly remedy: string

  constructor(dataset: string, model: string, options?: ErrorOptions) {
    super(`The ${dataset} dataset's embeddings of the model ${model} cannot be read.`, options)
    this.remedy = `synoptic embed build --dataset ${dataset} --model ${model}`
  }
}
