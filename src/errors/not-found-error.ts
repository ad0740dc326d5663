/** The path, the model or the entry does not exist. */
export class NotFoundError extends Error {
  override readonly name = 'NotFoundError'
}
