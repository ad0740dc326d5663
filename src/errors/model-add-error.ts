/** A model that cannot be installed from its folder. Nothing is changed. */
export class ModelAddError extends Error {
  override readonly name = 'ModelAddError'

  constructor(model: string, problem: string) {
    super(`The model ${model} was not added: ${problem}.`)
  }
}
