/** Request headers beyond what Node reads (`--max-http-header-size` of Node, 16 KiB). */
export class HeadersTooLargeError extends Error {
  override readonly name = 'HeadersTooLargeError'

  constructor(options?: ErrorOptions) {
    super('The request headers are larger than 16 KiB.', options)
  }
}
