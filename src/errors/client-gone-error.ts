/** The client closed its connection before the response. Its work is dropped. */
export class ClientGoneError extends Error {
  override readonly name = 'ClientGoneError'

  constructor(options?: ErrorOptions) {
    super('The client closed the connection before the response.', options)
  }
}
