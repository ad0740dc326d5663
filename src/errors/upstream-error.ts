/**
 * Why a call to a remote service failed, by what a caller can do about it: the connection failed (ENETWORK,
 * ETIMEOUT), a longer deadline would help (EDEADLINE), the service failed on every attempt (ESERVER), it
 * refused (ESTATUS), or its response has another content than expected (EBODY, EGRAPHQL).
 */
export type UpstreamErrorCode =
  'ENETWORK' | 'ETIMEOUT' | 'EDEADLINE' | 'ESERVER' | 'ESTATUS' | 'EBODY' | 'EGRAPHQL'

/** A remote service gave no usable response. The message never contains credentials. */
export class UpstreamError extends Error {
  override readonly name = 'UpstreamError'
  readonly code: UpstreamErrorCode
  /** HTTP status, if there was a response. */
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
