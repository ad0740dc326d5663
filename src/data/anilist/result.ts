/**
 * The outcomes of a query. Callers must tell them apart: "not found" is a result,
 * "failed" is the lack of one, and GraphQL errors come with status 200.
 */
import type { UpstreamError } from '../../base/errors/index.js'

export interface GraphqlError {
  readonly message: string
  /** HTTP-like status that the service gives to the error. */
  readonly status: number | null
}

export type QueryResult =
  | { readonly kind: 'answer'; readonly body: unknown }
  /** Status 200 with `errors`; `body` may hold part of the data. */
  | {
      readonly kind: 'graphql-errors'
      readonly body: unknown
      readonly errors: readonly GraphqlError[]
    }
  /** Status 404: there is no such thing, or it is private. */
  | { readonly kind: 'not-found'; readonly errors: readonly GraphqlError[] }
  | { readonly kind: 'failed'; readonly error: UpstreamError }

/** The parsed JSON of a status 200, else null: no result, so the title counts as not on the list. */
export function bodyOrNull(result: QueryResult): unknown {
  return 'body' in result ? result.body : null
}

/**
 * The errors of a parsed body; empty where it has none. A service that quotes the token in its
 * complaint must not bring it into our log.
 */
export function graphqlErrors(body: unknown, token: string | null): GraphqlError[] {
  if (typeof body !== 'object' || body === null || !('errors' in body)) return []
  if (!Array.isArray(body.errors)) return []
  return body.errors.map((error: unknown) => {
    const { message, status } = typeof error === 'object' && error !== null ? fieldsOf(error) : {}
    return {
      message: typeof message === 'string' ? presentable(message, token) : 'unknown error',
      status: typeof status === 'number' ? status : null,
    }
  })
}

function fieldsOf(error: object): { message?: unknown; status?: unknown } {
  return error
}

/** Messages go into logs and terminals, so they are kept short, without line breaks or colours. */
function presentable(message: string, token: string | null): string {
  const safe = token === null ? message : message.replaceAll(token, '[token]')
  return safe.replace(/\p{Cc}+/gu, ' ').slice(0, 200)
}
