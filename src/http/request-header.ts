import type { AppContext } from './env.js'

/**
 * A header of the request, by its name in lower case. Hono's `c.req.header` makes a `Headers` of all that
 * the request has, which takes longer than anything else that a small request needs.
 */
export function requestHeader(c: AppContext, name: string): string | undefined {
  // Without a socket (a test that calls the app) there are no bindings at all.
  const incoming = (c.env as AppContext['env'] | undefined)?.incoming
  if (incoming === undefined) return c.req.header(name)
  const value = incoming.headers[name]
  return typeof value === 'string' ? value : value?.join(', ')
}
