/** What a route is: every file of routes/ returns a list of these. */
import type { ServerSettings } from '../../base/config/settings.js'
import type { Admission } from './admission.js'
import type { AppContext, AppHandler, AppMiddleware } from './env.js'
import type { Operation } from './openapi/operation.js'
import type { RouteGroup } from '../../base/config/route-groups.js'
import type { Scope } from '../../base/keys/scopes.js'

export interface Route {
  /** Group by which `--enable-routes` chooses. */
  readonly group: RouteGroup
  /** What a key needs to open it, if that is not what its group says. */
  readonly scope?: Scope | 'open'
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** As the router writes it: `/models/:name{.+}`. */
  readonly path: string
  /** Its documentation; none for files of the documentation page, such as a style sheet. */
  readonly operation?: Operation
  /** Middleware before the handler. */
  readonly guards: readonly AppMiddleware[]
  readonly handler: AppHandler
}

export interface Guards {
  /** Admission and deadline, for routes that search or read files. */
  readonly admit: readonly AppMiddleware[]
  /** Runs a route's work, once its body is read, in one of the slots of `--limit-concurrency`. */
  readonly work: Admission['work']
  /** Counts the texts of a batch for the rate limit of the group, if it has one. Rejects with a RateLimitedError. */
  readonly charge: (group: RouteGroup, c: AppContext, size: number) => Promise<void>
}

export const isGroupEnabled = (
  { enableRoutes }: Pick<ServerSettings, 'enableRoutes'>,
  group: RouteGroup,
): boolean => enableRoutes.includes('all') || enableRoutes.includes(group)

/** `/models/:name{.+}` is how the router writes `/models/{name}`. */
export const templateOf = (path: string): string => path.replace(/:(\w+)(?:\{[^}]*\})?/g, '{$1}')
