/** One thing wrong with a message: where, and what was expected and received. */
export interface Problem {
  /** Member of the body or the query, dotted where nested; empty for the message as a whole. */
  readonly path: string
  readonly message: string
}

/** A message that is not what it has to be; names every problem, so that one try tells all. */
export class ValidationError extends Error {
  override readonly name = 'ValidationError'

  constructor(readonly problems: readonly Problem[]) {
    super(problems.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join('; '))
  }
}
