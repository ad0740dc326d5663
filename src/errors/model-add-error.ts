/** A model's folder that cannot be added under a name; nothing was changed. */
export class ModelAddError extends Error {
  override readonly name = 'ModelAddError'

  constructor(model: string, problem: string) {
    super(`The model ${model} was not added: ${problem}.`)
  }
}
