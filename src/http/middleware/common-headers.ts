import { randomUUID } from 'node:crypto'
import type { AppMiddleware } from '../env.js'
import { requestHeader } from '../request-header.js'

/** What a client may choose; anything else could spoil a log. */
const soundId = /^[\w=-]{1,255}$/

/** @param asked the client's `X-Request-Id` */
export function requestIdOf(asked: string | undefined): string {
  return asked !== undefined && soundId.test(asked) ? asked : randomUUID()
}

/**
 * Gives each request an id, the client's `X-Request-Id` where that is sound, and each answer the headers
 * that all have: `answer` puts them in; where a route makes its response by other means, this does.
 */
export const commonHeaders: AppMiddleware = async function commonHeaders(c, next) {
  const requestId = requestIdOf(requestHeader(c, 'x-request-id'))
  c.set('requestId', requestId)
  c.set('headers', { 'X-Request-Id': requestId })
  await next()
  for (const [name, value] of Object.entries(c.get('headers') ?? {})) {
    if (name === 'Vary') c.res.headers.append(name, value)
    else c.res.headers.set(name, value)
  }
}
