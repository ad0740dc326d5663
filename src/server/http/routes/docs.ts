/** GET /docs for people and /openapi.json for programs; nothing comes from another server. */
import * as v from 'valibot'
import { docsPage, docsScript, docsStyle } from '../docs-page.js'
import type { AppHandler, AppMiddleware } from '../env.js'
import { openApiDocument } from '../openapi/document.js'
import type { Operation } from '../openapi/operation.js'
import { pageFile } from '../page-files.js'
import type { Route } from '../route.js'
import { content, fileHandler, pagePolicy, staticRoute } from '../static-route.js'

interface DocsOptions {
  readonly version: string
  readonly hasSearchPage: boolean
  /** Whether ids of a dataset are texts. */
  readonly hasTextIds: boolean
}

/** @param routes the other routes, which the document describes together with these */
export function docsRoutes(
  routes: readonly Route[],
  { version, hasSearchPage, hasTextIds }: DocsOptions,
): Route[] {
  let document: string | undefined
  const own: Route[] = [
    route('/openapi.json', reading, (c) => {
      document ??= JSON.stringify(openApiDocument([...routes, ...own], { version, hasTextIds }))
      return c.body(document, 200, { 'Content-Type': 'application/json' })
    }),
    route('/docs', browsing, content(docsPage(hasSearchPage), 'text/html; charset=utf-8'), [
      pageHeaders,
    ]),
    route('/docs/', undefined, (c) => c.redirect('../docs', 308)),
    route('/docs/page.js', undefined, content(docsScript, 'text/javascript')),
    route('/docs/page.css', undefined, content(docsStyle, 'text/css')),
    ...Object.entries(swaggerFiles).map(([name, type]) =>
      route(`/docs/${name}`, undefined, fileHandler(pageFile(`docs/${name}`), type)),
    ),
  ]
  return own
}

/** Files of swagger-ui-dist, which tools/build-page.js copies; a name that is not here is not served. */
const swaggerFiles = {
  'swagger-ui-bundle.js': 'text/javascript',
  'swagger-ui.css': 'text/css',
  'favicon-32x32.png': 'image/png',
}

const route = (
  path: string,
  operation: Operation | undefined,
  handler: AppHandler,
  guards: readonly AppMiddleware[] = [],
): Route => staticRoute('docs', path, handler, { operation, guards })

const pageHeaders = pagePolicy()

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
    'Made from the schemas by which requests are checked; it contains only what is served.',
  responses: { 200: { description: 'The document.', headers: ['ETag'], schema: openApi } },
}
const browsing: Operation = {
  id: 'getDocumentation',
  tag: 'Documentation',
  summary: 'This page',
  description: 'Needs no other server than this one.',
  responses: { 200: { description: 'The page.', headers: ['ETag'], type: 'text/html' } },
}
