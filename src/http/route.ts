/** What a route is: every file of routes/ answers a list of these. */
import type { ServerSettings } from '../config/settings.js'
import type { Admission } from './admission.js'
import type { AppHandler, AppMiddleware } from './env.js'
import type { Operation } from './openapi/operation.js'
import type { RouteGroup } from '../config/route-groups.js'

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
  /** Room and time for the request, for routes that work. */
  readonly admit: readonly AppMiddleware[]
  /** Runs what a route does once its body is read, in one of the places of `--limit-concurrency`. */
  readonly work: Admission['work']
}

export const isGroupEnabled = (
  { enableRoutes }: Pick<ServerSettings, 'enableRoutes'>,
  group: RouteGroup,
): boolean => enableRoutes.includes('all') || enableRoutes.includes(group)

/** `/models/:name{.+}` is how the router writes `/models/{name}`. */
export const templateOf = (path: string): string => path.replace(/:(\w+)(?:\{[^}]*\})?/g, '{$1}')
