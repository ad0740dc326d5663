import { RefusalError } from './refusal-error.js'

/** A request with a key that does not open this route. */
export class ScopeError extends RefusalError {
  override readonly name = 'ScopeError'
  /** The header WWW-Authenticate (RFC 6750). */
  readonly challenge: string

  constructor(expected: string, received: readonly string[]) {
    super(
      `Expected a key with the scope ${expected}, received one with ${received.join(', ')}. ` +
        `\`synoptic keys add <name> --scopes ${expected}\` makes one.`,
    )
    this.challenge = `Bearer realm="synoptic", error="insufficient_scope", scope="${expected}"`
  }
}
