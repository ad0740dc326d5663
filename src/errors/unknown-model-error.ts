/** A name that is not in the list of models. */
export class UnknownModelError extends Error {
  override readonly name = 'UnknownModelError'

  constructor(model: string, allowed: readonly string[]) {
    super(`unknown model ${JSON.stringify(model)}; expected one of ${allowed.join(', ')}`)
  }
}
