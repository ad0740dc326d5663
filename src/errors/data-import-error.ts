/** Data that cannot be imported. The old catalogue is unchanged. */
export class DataImportError extends Error {
  override readonly name = 'DataImportError'

  /** @param file the mapping or source file with the fault */
  constructor(
    readonly file: string,
    problem: string,
    options?: ErrorOptions,
  ) {
    super(`${file}: ${problem}`, options)
  }
}
