/** A request body beyond `--body-limit`, or `--v1-body-limit` on the routes of v1. */
export class PayloadTooLargeError extends Error {
  override readonly name = 'PayloadTooLargeError'

  /** @param setting named where it is not the usual one */
  constructor(limitBytes: number, setting?: string) {
    const knob = setting === undefined ? '' : ` The server's setting ${setting} sets the limit.`
    super(`The request body is larger than ${limitBytes} bytes.${knob}`)
  }
}
