/** The path is there, but answers other methods. */
export class MethodNotAllowedError extends Error {
  override readonly name = 'MethodNotAllowedError'

  constructor(
    readonly method: string,
    readonly allowed: readonly string[],
  ) {
    super(`Expected the method ${allowed.join(' or ')}, received ${method}.`)
  }
}
