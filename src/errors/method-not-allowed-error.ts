/** The path exists, but not for this method. */
export class MethodNotAllowedError extends Error {
  override readonly name = 'MethodNotAllowedError'

  constructor(
    readonly method: string,
    readonly allowed: readonly string[],
  ) {
    super(`Expected the method ${allowed.join(' or ')}, received ${method}.`)
  }
}
