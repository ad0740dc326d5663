/** Data that cannot be imported as a whole; the catalogue that was there is untouched. */
export class DataImportError extends Error {
  override readonly name = 'DataImportError'

  /** @param file the mapping or source file that has to be mended */
  constructor(
    readonly file: string,
    problem: string,
    options?: ErrorOptions,
  ) {
    super(`${file}: ${problem}`, options)
  }
}
