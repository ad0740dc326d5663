/** The embeddings and the model's vectors differ in dimension. `remedy` is the command that fixes it. */
export class DimensionMismatchError extends Error {
  override readonly name = 'DimensionMismatchError'
  readonly remedy: string

  constructor(dataset: string, model: string, expected: number, received: number) {
    super(
      `The embeddings of the ${dataset} dataset have ${received} dimensions, ` +
        `but the model ${model} has ${expected}.`,
    )
    this.remedy = `synoptic embed build --dataset ${dataset} --model ${model}`
  }
}
