/** Routes of pages and their files: revalidated, and with a policy that lets nothing of others in. */
import { readFile, stat } from 'node:fs/promises'
import { etag } from 'hono/etag'
import { secureHeaders } from 'hono/secure-headers'
import type { RouteGroup } from '../../base/config/route-groups.js'
import type { AppHandler, AppMiddleware } from './env.js'
import type { Operation } from './openapi/operation.js'
import { pageFile } from './page-files.js'
import type { Route } from './route.js'

interface StaticRouteOptions {
  readonly operation?: Operation | undefined
  readonly guards?: readonly AppMiddleware[]
}

export function staticRoute(
  group: RouteGroup,
  path: string,
  handler: AppHandler,
  { operation, guards = [] }: StaticRouteOptions = {},
): Route {
  return {
    group,
    // The files are the same everywhere, and a page must be there to ask for a key.
    scope: 'open',
    method: 'GET',
    path,
    ...(operation && { operation }),
    guards: [revalidate, ...guards, etag({ weak: true })],
    handler,
  }
}

/** Browsers cache these files and revalidate them: another version of the server has other files. */
const revalidate: AppMiddleware = async function revalidate(c, next) {
  c.header('Cache-Control', 'no-cache')
  await next()
}

/** @param imageOrigins other origins whose images a page may show */
export const pagePolicy = (imageOrigins: readonly string[] = []): AppMiddleware =>
  secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'"],
      imgSrc: ["'self'", 'data:', ...imageOrigins],
      connectSrc: ["'self'"],
      baseUri: ["'none'"],
      formAction: ["'none'"],
      frameAncestors: ["'none'"],
    },
    // Only the proxy knows whether there is TLS.
    strictTransportSecurity: false,
  })

export const content =
  (body: string, type: string): AppHandler =>
  (c) =>
    c.body(body, 200, { 'Content-Type': type })

/** A page's script, and the files that all pages share. A name that is not here is not served. */
export const pageFiles = (page: 'page' | 'map' | 'status'): Route[] =>
  Object.entries({
    [`${page}.js`]: 'text/javascript; charset=utf-8',
    'style.css': 'text/css; charset=utf-8',
    'icon.svg': 'image/svg+xml',
  }).map(([name, type]) => staticRoute(page, `/${page}/${name}`, fileHandler(pageFile(name), type)))

/** Reads the file at each request. */
export function fileHandler(file: string, type: string): AppHandler {
  return async (c) => {
    const { size, mtimeMs } = await stat(file)
    c.header('ETag', `W/"${size.toString(36)}-${Math.trunc(mtimeMs).toString(36)}"`)
    return c.body(await readFile(file), 200, { 'Content-Type': type })
  }
}
