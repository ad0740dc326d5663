/** The key that a request presents. */
import type { AppContext } from '../env.js'

/** From `Authorization: Bearer`, else from `x-api-key`; other schemes of Authorization belong to proxies. */
export function presentedKey(c: AppContext): string | undefined {
  const [, token] = /^bearer +(\S+) *$/i.exec(c.req.header('authorization') ?? '') ?? []
  return token ?? c.req.header('x-api-key')
}
