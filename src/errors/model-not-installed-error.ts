/** An allowed model whose files are not there. `remedy` mends it. */
export class ModelNotInstalledError extends Error {
  override readonly name = 'ModelNotInstalledError'
  readonly model: string
  readonly remedy: string

  /** @param repository where a hub has it, if one has */
  constructor(model: string, repository: string | undefined) {
    const add = `synoptic models add FOLDER --name ${model}`
    const remedy = repository === undefined ? add : `synoptic models pull ${model}`
    const how =
      repository === undefined ? `\`${add}\` adds` : `\`${remedy}\` fetches it, \`${add}\` adds`
    super(`The model ${model} is not installed; ${how} its folder.`)
    this.model = model
    this.remedy = remedy
  }
}
