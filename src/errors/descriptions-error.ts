/** A file of descriptions that cannot be used; says which line has to be mended. */
export class DescriptionsError extends Error {
  override readonly name = 'DescriptionsError'

  constructor(file: string, line: number | undefined, problem: string, options?: ErrorOptions) {
    super(`${file}${line === undefined ? '' : `:${line}`}: ${problem}`, options)
  }
}
