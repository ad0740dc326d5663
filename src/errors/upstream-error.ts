/**
 * What went wrong between this client and a remote service, by what a caller can do about it:
 * ENETWORK and ETIMEOUT are the connection's, EDEADLINE means that waiting longer would help,
 * ESERVER that the service failed on every attempt, ESTATUS that it refused, EBODY and EGRAPHQL
 * that it answered something other than what was asked for.
 */
export type UpstreamErrorCode =
  'ENETWORK' | 'ETIMEOUT' | 'EDEADLINE' | 'ESERVER' | 'ESTATUS' | 'EBODY' | 'EGRAPHQL'

/** A remote service gave no usable answer. The message never holds credentials. */
export class UpstreamError extends Error {
  override readonly name = 'UpstreamError'
  readonly code: UpstreamErrorCode
  /** HTTP status, where there was an answer. */
  readonly status: number | undefined

  constructor(
    code: UpstreamErrorCode,
    message: string,
    details: { status?: number; cause?: unknown } = {},
  ) {
    super(message, 'cause' in details ? { cause: details.cause } : undefined)
    this.code = code
    this.status = details.status
  }
}
