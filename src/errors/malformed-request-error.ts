/** Bytes that are no HTTP request, or one without a valid target or Host. */
export class MalformedRequestError extends Error {
  override readonly name = 'MalformedRequestError'

  constructor(options?: ErrorOptions) {
    super('Expected an HTTP request with a valid path and Host header.', options)
  }
}
