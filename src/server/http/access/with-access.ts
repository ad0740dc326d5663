/** A route that needs a key: the check comes before all other middleware, and into the documentation. */
import { scopeOfGroup } from '../../../base/config/route-groups.js'
import type { KeyRing } from '../../../base/keys/key-ring.js'
import type { Scope } from '../../../base/keys/scopes.js'
import type { RateLimit } from '../limits/rate-limits.js'
import { accessProblems, rateLimitProblems } from '../openapi/problems.js'
import type { Operation } from '../openapi/operation.js'
import type { Route } from '../route.js'
import { requireScope } from './require-scope.js'

export interface Access {
  readonly keys: KeyRing
  /** Counts the requests of keys that have a limit of their own. */
  readonly limit: RateLimit
}

/** Returns the route as it is where it is open, or where no keys are needed. */
export function withAccess(route: Route, access: Access | undefined): Route {
  const scope: Scope | 'open' = route.scope ?? scopeOfGroup[route.group]
  if (access === undefined || scope === 'open') return route
  const { operation } = route
  return {
    ...route,
    ...(operation && { operation: describe(operation, scope) }),
    guards: [requireScope(access.keys, scope), access.limit.limiter, ...route.guards],
  }
}

function describe(operation: Operation, scope: Scope): Operation {
  const { problems = [], description, ...rest } = operation
  return {
    ...rest,
    scope,
    description: `${description}\n\nNeeds a key with the scope \`${scope}\`.`,
    problems: [...problems, ...accessProblems, ...rateLimitProblems],
  }
}
