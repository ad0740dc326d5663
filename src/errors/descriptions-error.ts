/** A file of descriptions that cannot be read. The message names the line with the fault. */
export class DescriptionsError extends Error {
  override readonly name = 'DescriptionsError'

  constructor(file: string, line: number | undefined, problem: string, options?: ErrorOptions) {
    super(`${file}${line === undefined ? '' : `:${line}`}: ${problem}`, options)
  }
}
