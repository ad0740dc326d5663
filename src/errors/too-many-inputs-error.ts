/** More texts in one request than `--v1-max-inputs`. */
export class TooManyInputsError extends Error {
  override readonly name = 'TooManyInputsError'

  /** @param member of the request, such as `input` */
  constructor(member: string, received: number, limit: number) {
    super(
      `${member}: expected at most ${limit} texts in one request, received ${received}. ` +
        "Send them in parts; the server's setting --v1-max-inputs sets the limit.",
    )
  }
}
