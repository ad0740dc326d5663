/** Embeddings of another dimension than the model's vectors. `remedy` mends it. */
export class DimensionMismatchError extends Error {
  override readonly name = 'DimensionMismatchError'
  readonly remedy: string

  constructor(dataset: string, model: string, expected: number, received: number) {
    super(
      `The ${dataset} dataset's embeddings have ${received} dimensions, ` +
        `those of the model ${model} have ${expected}.`,
    )
    this.remedy = `synoptic embed build --dataset ${dataset} --model ${model}`
  }
}
