/** The bytes are not an HTTP request, or its target or Host is not valid. */
export class MalformedRequestError extends Error {
  override readonly name = 'MalformedRequestError'

  constructor(options?: ErrorOptions) {
    super('Expected an HTTP request with a valid path and Host header.', options)
  }
}
