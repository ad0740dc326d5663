/** JSON that caches keep and ask about: with an ETag, and without a body where the client has it already. */
import { hash } from 'node:crypto'
import type { AppContext } from './env.js'

export const revalidatedJson = (c: AppContext, value: object): Response =>
  revalidatedBody(c, JSON.stringify(value))

/** The tag is weak because the same JSON may come in several encodings. */
export function revalidatedBody(c: AppContext, body: string | Uint8Array<ArrayBuffer>): Response {
  const tag = hash('sha1', body, 'base64url')
  const headers = { 'Cache-Control': 'no-cache', ETag: `W/"${tag}"` }
  if (isKnown(c.req.header('if-none-match'), tag)) return c.body(null, 304, headers)
  return c.body(body, 200, { ...headers, 'Content-Type': 'application/json' })
}

/** By the weak comparison, as RFC 9110 requires for If-None-Match. */
export function isKnown(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false
  return ifNoneMatch.trim() === '*' || ifNoneMatch.includes(`"${tag}"`)
}
