/** An allowed model whose files are not there. `remedy` mends it. */
export class ModelNotInstalledError extends Error {
  override readonly name = 'ModelNotInstalledError'
  readonly model: string
  readonly remedy: string

  constructor(model: string) {
    const remedy = `synoptic models add FOLDER --name ${model}`
    super(`The model ${model} is not installed; add its folder with \`${remedy}\`.`)
    this.model = model
    this.remedy = remedy
  }
}
