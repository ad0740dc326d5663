/** Embeddings of other software that cannot be imported. Nothing is changed. */
export class EmbeddingsImportError extends Error {
  override readonly name = 'EmbeddingsImportError'

  constructor(problem: string, options?: ErrorOptions) {
    super(`The embeddings were not imported: ${problem}.`, options)
  }
}
