/** What a query that gave no usable answer is thrown as. */
import { UpstreamError } from '../../base/errors/index.js'
import type { QueryResult } from './result.js'

/** @param what could not be done */
export function failure(what: string, result: QueryResult): UpstreamError {
  switch (result.kind) {
    case 'failed': {
      const { code, message, status, retryAfterSeconds } = result.error
      const details = { status, retryAfterSeconds, cause: result.error }
      return new UpstreamError(code, `${what}: ${message}`, details)
    }
    case 'graphql-errors': {
      const messages = result.errors.map(({ message }) => message).join('; ')
      return new UpstreamError('EGRAPHQL', `${what}: ${messages}`, { status: 200 })
    }
    case 'not-found':
      return new UpstreamError('ESTATUS', `${what}: status 404, expected 200`, { status: 404 })
    case 'answer':
      return new UpstreamError('EBODY', `${what}: the response has another shape than expected`)
  }
}
