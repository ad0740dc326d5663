/** One problem of a message: its path, and what was expected and received. */
export interface Problem {
  /** Member of the body or the query, with dots if nested; empty for the whole message. */
  readonly path: string
  readonly message: string
}

/** An invalid message. Lists all problems, so that one attempt shows them all. */
export class ValidationError extends Error {
  override readonly name = 'ValidationError'

  constructor(readonly problems: readonly Problem[]) {
    super(problems.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join('; '))
  }
}
