/** Another process is building the same embeddings. */
export class EmbeddingsBusyError extends Error {
  override readonly name = 'EmbeddingsBusyError'

  constructor(dataset: string, model: string) {
    super(
      `Another process is building the embeddings of the ${dataset} dataset by the model ${model}.`,
    )
  }
}
