export type TitleIndexErrorCode = 'damaged' | 'version'

/** Bytes that are no index of titles which this program can read; building the catalogue again mends it. */
export class TitleIndexError extends Error {
  override readonly name = 'TitleIndexError'

  constructor(
    readonly code: TitleIndexErrorCode,
    /** What is wrong, without the remedy. */
    readonly problem: string,
    options?: ErrorOptions,
  ) {
    super(`The index of titles cannot be read: ${problem}; import the catalogue again`, options)
  }
}
