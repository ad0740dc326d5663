/** The header Expect asks for something other than 100-continue. */
export class ExpectationFailedError extends Error {
  override readonly name = 'ExpectationFailedError'

  constructor() {
    super('Expected the header Expect to be absent or 100-continue.')
  }
}
