/** A request body in a transfer coding that the server does not decode. */
export class TransferCodingError extends Error {
  override readonly name = 'TransferCodingError'

  constructor() {
    super('Expected the header Transfer-Encoding to be absent or chunked.')
  }
}
