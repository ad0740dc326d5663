/** Routes of the groups that `--rate-limit` paces: a guard before all others, and what the documentation says of it. */
import type { AppContext, AppMiddleware } from './env.js'
import { rateLimit } from './middleware/rate-limit.js'
import { rateHeaders } from './openapi/headers.js'
import type { Operation } from './openapi/operation.js'
import { pacedProblems } from './openapi/problems.js'
import { pacedGroups } from './rate-store.js'
import type { Route } from './route.js'
import type { RouteGroup } from '../config/route-groups.js'
import type { AppServices } from './services.js'

/** Answers what gives a route its guard; routes of other groups stay as they are. */
export function createPacer(
  { settings, rateStores }: Pick<AppServices, 'settings' | 'rateStores'>,
  addressOf: (c: AppContext) => string,
): (route: Route) => Route {
  // One for all routes of a group, since that is what is counted.
  const guards = new Map<RouteGroup, AppMiddleware>()
  for (const [group, perSecond] of pacedGroups(settings.rateLimit)) {
    const store = rateStores.get(group)
    const burst = settings.rateBurst
    if (store) guards.set(group, rateLimit({ perSecond, burst, addressOf, store }))
  }
  return function pace(route) {
    const guard = guards.get(route.group)
    if (guard === undefined) return route
    const { operation } = route
    return {
      ...route,
      ...(operation && { operation: describePaced(operation) }),
      guards: [guard, ...route.guards],
    }
  }
}

function describePaced({ responses, problems = [], ...rest }: Operation): Operation {
  const paced = Object.entries(responses).map(([status, response]) => [
    status,
    { ...response, headers: [...(response.headers ?? []), ...rateHeaders] },
  ])
  return {
    ...rest,
    responses: Object.fromEntries(paced) as Operation['responses'],
    problems: [...problems, ...pacedProblems],
  }
}
