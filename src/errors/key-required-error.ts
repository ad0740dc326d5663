import { RefusalError } from './refusal-error.js'

/** A request without a key, or with one that opens nothing. */
export class KeyRequiredError extends RefusalError {
  override readonly name = 'KeyRequiredError'
  /** The header WWW-Authenticate (RFC 6750). */
  readonly challenge: string

  constructor(reason: keyof typeof reasons) {
    super(`${reasons[reason]} Send it as Authorization: Bearer <key>, or as x-api-key: <key>.`)
    const error = reason === 'missing' ? '' : ', error="invalid_token"'
    this.challenge = `Bearer realm="synoptic"${error}`
  }
}

const reasons = {
  missing: 'This needs an API key.',
  unknown: 'The server does not know this API key. It may have been revoked.',
  expired: 'This API key has expired. Its owner needs a new one.',
} as const
