/** What a route is: every file of routes/ answers a list of these. */
import type { AppHandler, AppMiddleware } from './env.js'
import type { Operation } from './openapi/operation.js'
import type { RouteGroup } from './route-groups.js'

export interface Route {
  /** Group by which `--enable-routes` chooses. */
  readonly group: RouteGroup
  readonly method: 'GET' | 'POST'
  /** As the router writes it: `/models/:name{.+}`. */
  readonly path: string
  /** What the documentation says of it; none for what is no use by itself, such as a style sheet. */
  readonly operation?: Operation
  /** What a request passes before the handler. */
  readonly guards: readonly AppMiddleware[]
  readonly handler: AppHandler
}

export interface Guards {
  /** A place among `--limit-concurrency`, and the deadline: for routes that work. */
  readonly admit: readonly AppMiddleware[]
  /** `--rate-limit`; empty when it is off. */
  readonly paced: readonly AppMiddleware[]
}
