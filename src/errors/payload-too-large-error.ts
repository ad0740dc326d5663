/** A request body beyond `--body-limit`. */
export class PayloadTooLargeError extends Error {
  override readonly name = 'PayloadTooLargeError'

  constructor(limitBytes: number) {
    super(`The request body is larger than ${limitBytes} bytes.`)
  }
}
