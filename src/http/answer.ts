/** The answer of a route, with the headers that every answer has. */
import type { AppContext } from './env.js'

type Body = string | Uint8Array<ArrayBuffer> | null

/**
 * What `c.body` does, without the `Headers` that it makes, which takes long beside a small request. Headers
 * are the route's and those of `c.get('headers')`; what others have set by `c.header` is left out, except
 * on a paced route, where the library that paces sets its own.
 */
export function answer(
  c: AppContext,
  body: Body,
  status: number,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const all = Object.assign(c.get('headers') ?? {}, headers)
  c.set('headers', undefined)
  if (c.get('rateLimit') === undefined) return new Response(body, { status, headers: all })
  for (const [name, value] of Object.entries(all)) c.header(name, value)
  return c.newResponse(body, status as 200)
}
