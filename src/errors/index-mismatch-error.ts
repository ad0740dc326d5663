/** The engine has no index of what is served now; the cause says what differs. `remedy` is the command that makes one. */
export class IndexMismatchError extends Error {
  override readonly name = 'IndexMismatchError'
  readonly remedy: string

  /** @param options candidates: of searches by a graph, which the index has to have */
  constructor(
    dataset: string,
    model: string,
    options?: ErrorOptions & { readonly candidates?: number | undefined },
  ) {
    super(
      `The search engine has no index of this version of the ${dataset} dataset by the model ${model}.`,
      options,
    )
    const graph =
      options?.candidates === undefined ? '' : ` --index-candidates ${options.candidates}`
    this.remedy = `synoptic embed publish --dataset ${dataset} --model ${model}${graph}`
  }
}
