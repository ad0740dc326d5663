/** Retries where the server says when. */
import ky, { HTTPError } from 'ky'
import { ConnectionError, retryAfterSecondsOf } from './errors.js'

export interface RetryOptions {
  /** How often a request is sent again after 429 or 503 with Retry-After. */
  readonly retries: number
  /** A longer wait than this is not waited for. */
  readonly maxRetrySeconds: number
  readonly fetch: typeof globalThis.fetch
}

const statusCodes = [429, 503]

/** @throws ConnectionError where no answer comes; the reason of the request's signal where that aborts */
export function createFetch({ retries, maxRetrySeconds, fetch }: RetryOptions) {
  const isWorthWaiting = (headers: Headers) =>
    (retryAfterSecondsOf(headers) ?? Infinity) <= maxRetrySeconds

  return async (request: Request): Promise<Response> => {
    try {
      return await ky(request, {
        fetch,
        timeout: false,
        throwHttpErrors: (status) => statusCodes.includes(status),
        retry: {
          limit: retries,
          methods: ['get', 'post'],
          statusCodes,
          afterStatusCodes: statusCodes,
          shouldRetry({ error, retryCount }) {
            if (!(error instanceof HTTPError) || !isWorthWaiting(error.response.headers))
              return false
            if (retryCount <= retries) void error.response.body?.cancel()
            return undefined
          },
        },
      })
    } catch (error) {
      if (error instanceof HTTPError) return error.response
      if (request.signal.aborted) throw request.signal.reason
      throw new ConnectionError(`no answer from ${new URL(request.url).origin}`, { cause: error })
    }
  }
}
