/** A known model that is not installed. `remedy` is the command that installs it. */
export class ModelNotInstalledError extends Error {
  override readonly name = 'ModelNotInstalledError'
  readonly model: string
  readonly remedy: string

  /** @param repository the model's repository on the hub, if it has one */
  constructor(model: string, repository: string | undefined) {
    const add = `synoptic models add FOLDER --name ${model}`
    const remedy = repository === undefined ? add : `synoptic models pull ${model}`
    const ways = repository === undefined ? `\`${add}\`` : `\`${remedy}\` or \`${add}\``
    super(`The model ${model} is not installed. To install it, run ${ways}.`)
    this.model = model
    this.remedy = remedy
  }
}
