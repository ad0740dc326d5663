/** The client closed its connection before the answer; the work for it is dropped. */
export class ClientGoneError extends Error {
  override readonly name = 'ClientGoneError'

  constructor(options?: ErrorOptions) {
    super('The client closed the connection before the answer.', options)
  }
}
