/** Routes of datasets that have texts for ids: their requests and responses have these texts. */
import type { EntryIds, TextIds } from './entry-ids.js'
import { idOf } from './entry-id.js'
import type { AppContext, AppHandler } from './env.js'
import type { Route } from './route.js'

/** Returns a route of such a dataset with its ids; any other route stays as it is. */
export function withTextIds(route: Route, entryIds: EntryIds | undefined): Route {
  const [, dataset = ''] = /^\/[^/]+\/([a-z0-9-]+)(?:\/|$)/.exec(route.path) ?? []
  const ids = entryIds?.of(dataset)
  // A map has the texts in its files.
  if (ids === undefined || route.group === 'map') return route
  return { ...route, handler: handlerWith(ids, route.handler) }
}

function handlerWith(ids: TextIds, handler: AppHandler): AppHandler {
  return async (c, next) => {
    c.set('ids', ids)
    const response: unknown = await handler(c, next)
    if (!(response instanceof Response) || !isJson(response)) return response as Response
    const headers = new Headers(response.headers)
    headers.delete('Content-Length')
    const { status } = response
    return new Response(JSON.stringify(ids.toShown(await response.json())), { status, headers })
  }
}

const isJson = ({ body, headers }: Response) =>
  body !== null && (headers.get('Content-Type') ?? '').startsWith('application/json')

/** @throws NotFoundError where the address has no id of an entry */
export function entryIdOf(c: AppContext): number {
  const word = c.req.param('id') ?? ''
  return c.get('ids')?.fromPath(word) ?? idOf(word)
}
