/** One POST of one GraphQL envelope: it resolves with any status, and throws without a response. */
import { UpstreamError } from '../../base/errors/index.js'
import { systemReason } from '../../base/util/system-reason.js'

export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

export interface PostOptions {
  readonly token: string | null
  /** For the whole exchange, body included. */
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
}

/**
 * Throws an UpstreamError (ENETWORK, ETIMEOUT), or the signal's reason when aborted. The body is
 * always read to its end, so that the connection can be used again.
 */
export async function post(url: URL, envelope: object, options: PostOptions): Promise<Reply> {
  const { token, timeoutMs, signal } = options
  // Outside the try: variables that are no JSON are the caller's mistake, not the network's.
  const body = JSON.stringify(envelope)
  signal?.throwIfAborted()
  // Servers without a token never ask.
  const { default: ky } = await import('ky')
  // ky's own timeout ends with the headers, and its errors carry the request, hence the token.
  const limit = new AbortController()
  const timer = setTimeout(() => limit.abort(), timeoutMs)
  try {
    const response = await ky.post(url, {
      body,
      headers: {
        'content-type': 'application/json',
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      },
      // A redirect is a status like any other, and must not carry the token elsewhere.
      redirect: 'manual',
      retry: 0,
      timeout: false,
      throwHttpErrors: false,
      signal: signal === undefined ? limit.signal : AbortSignal.any([limit.signal, signal]),
    })
    return { status: response.status, headers: response.headers, text: await response.text() }
  } catch (error) {
    signal?.throwIfAborted()
    if (limit.signal.aborted) {
      throw new UpstreamError(
        'ETIMEOUT',
        `${url.host} sent no whole response within ${timeoutMs} ms (timeoutMs)`,
      )
    }
    throw networkError(url, error)
  } finally {
    clearTimeout(timer)
  }
}

/**
 * fetch says no more than "fetch failed"; what happened is in the cause. Only its code and message
 * are kept: a parser's error also holds what the other side sent.
 */
function networkError(url: URL, error: unknown): UpstreamError {
  const root = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const message = root instanceof Error ? root.message : 'unknown reason'
  const cause = new Error(message)
  return new UpstreamError(
    'ENETWORK',
    `the connection to ${url.host} failed: ${systemReason(root)}`,
    { cause },
  )
}
