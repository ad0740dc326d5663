/** Another process is building the same embeddings. */
export class EmbeddingsBusyError extends Error {
  override readonly name = 'EmbeddingsBusyError'

  constructor(dataset: string, model: string) {
    super(`Another process is building the ${dataset} dataset's embeddings of the model ${model}.`)
  }
}
