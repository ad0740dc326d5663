/** A name that is not in the catalogue of models. */
export class UnknownModelError extends Error {
  override readonly name = 'UnknownModelError'

  constructor(model: string, allowed: readonly string[]) {
    super(`expected a model of the catalogue (${allowed.join(', ')}), got ${JSON.stringify(model)}`)
  }
}
