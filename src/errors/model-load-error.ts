/** The files of a model are damaged, incomplete or of an unknown type. */
export class ModelLoadError extends Error {
  override readonly name = 'ModelLoadError'
  readonly model: string

  /** @param problem what was expected and what was found, without absolute paths */
  constructor(model: string, problem: string, options?: ErrorOptions) {
    super(`The model ${model} cannot be loaded: ${problem}`, options)
    this.model = model
  }
}
