/** GET /docs for people and /openapi.json for programs; nothing comes from another server. */
import { readFile, stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { compress } from 'hono/compress'
import { etag } from 'hono/etag'
import { secureHeaders } from 'hono/secure-headers'
import * as v from 'valibot'
import { docsPage, docsScript, docsStyle } from '../docs-page.js'
import type { AppHandler, AppMiddleware } from '../env.js'
import { openApiDocument } from '../openapi/document.js'
import type { Operation } from '../openapi/operation.js'
import type { Route } from '../route.js'

/** @param routes the other routes, which the document describes together with these */
export function docsRoutes(routes: readonly Route[], version: string): Route[] {
  let document: string | undefined
  const own: Route[] = [
    route('/openapi.json', reading, (c) => {
      document ??= JSON.stringify(openApiDocument([...routes, ...own], version))
      return c.body(document, 200, { 'Content-Type': 'application/json' })
    }),
    route('/docs', browsing, content(docsPage, 'text/html; charset=utf-8'), [pageHeaders]),
    route('/docs/', undefined, (c) => c.redirect('../docs', 308)),
    route('/docs/page.js', undefined, content(docsScript, 'text/javascript')),
    route('/docs/page.css', undefined, content(docsStyle, 'text/css')),
    ...Object.entries(swaggerFiles).map(([name, type]) =>
      route(`/docs/${name}`, undefined, swaggerFile(name, type)),
    ),
  ]
  return own
}

/** Files of swagger-ui-dist; a name that is not here is not served. */
const swaggerFiles = {
  'swagger-ui-bundle.js': 'text/javascript',
  'swagger-ui.css': 'text/css',
  'favicon-32x32.png': 'image/png',
}

function route(
  path: string,
  operation: Operation | undefined,
  handler: AppHandler,
  guards: readonly AppMiddleware[] = [],
): Route {
  return {
    group: 'docs',
    method: 'GET',
    path,
    ...(operation && { operation }),
    guards: [revalidate, ...guards, compress(), etag({ weak: true })],
    handler,
  }
}

/** Browsers cache these files and revalidate them: another version of the server has other files. */
const revalidate: AppMiddleware = async function revalidate(c, next) {
  c.header('Cache-Control', 'no-cache')
  c.header('X-Content-Type-Options', 'nosniff')
  // For 304 and HEAD too, which `compress` skips.
  c.header('Vary', 'Accept-Encoding', { append: true })
  await next()
}

const pageHeaders = secureHeaders({
  contentSecurityPolicy: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'"],
    imgSrc: ["'self'", 'data:'],
    connectSrc: ["'self'"],
    baseUri: ["'none'"],
    formAction: ["'none'"],
    frameAncestors: ["'none'"],
  },
  // Only the proxy knows whether there is TLS.
  strictTransportSecurity: false,
})

const content =
  (body: string, type: string): AppHandler =>
  (c) =>
    c.body(body, 200, { 'Content-Type': type })

function swaggerFile(name: string, type: string): AppHandler {
  const file = fileURLToPath(import.meta.resolve(`swagger-ui-dist/${name}`))
  return async (c) => {
    const { size, mtimeMs } = await stat(file)
    c.header('ETag', `W/"${size.toString(36)}-${Math.trunc(mtimeMs).toString(36)}"`)
    return c.body(await readFile(file), 200, { 'Content-Type': type })
  }
}

const openApi = v.pipe(
  v.looseObject({ openapi: v.string(), paths: v.looseObject({}) }),
  v.title('OpenApi'),
  v.description('An OpenAPI 3.1 document.'),
)
const reading: Operation = {
  id: 'getOpenApi',
  tag: 'Documentation',
  summary: 'This documentation as OpenAPI 3.1',
  description:
    'Made from the schemas by which requests are checked; only what is served stands in it.',
  responses: { 200: { description: 'The document.', headers: ['ETag'], schema: openApi } },
}
const browsing: Operation = {
  id: 'getDocumentation',
  tag: 'Documentation',
  summary: 'This page',
  description: 'Needs no other server than this one.',
  responses: { 200: { description: 'The page.', headers: ['ETag'], type: 'text/html' } },
}
