/** A request body beyond `--body-limit`. */
export class PayloadTooLargeError extends Error {
  override readonly name = 'PayloadTooLargeError'

  constructor(limitBytes: number) {
    super(`Expected a body of at most ${limitBytes} bytes.`)
  }
}
