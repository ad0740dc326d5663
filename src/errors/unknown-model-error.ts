/** A name that is not in the list of models. */
export class UnknownModelError extends Error {
  override readonly name = 'UnknownModelError'
}
