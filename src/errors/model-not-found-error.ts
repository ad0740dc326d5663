/** A request names a model that is not served: unknown, of another kind, or not installed. */
export class ModelNotFoundError extends Error {
  override readonly name = 'ModelNotFoundError'
}
