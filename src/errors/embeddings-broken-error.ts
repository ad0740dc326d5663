/** A file of the embeddings is damaged; the cause names it. `remedy` is the command that fixes it. */
export class EmbeddingsBrokenError extends Error {
  override readonly name = 'EmbeddingsBrokenError'
  readonly remedy: string

  constructor(dataset: string, model: string, options?: ErrorOptions) {
    super(`The embeddings of the ${dataset} dataset by the model ${model} are damaged.`, options)
    this.remedy = `synoptic embed build --dataset ${dataset} --model ${model}`
  }
}
