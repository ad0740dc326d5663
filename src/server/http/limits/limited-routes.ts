/** A route of a group that has a rate limit: the limit comes before all other middleware, and into the documentation. */
import { rateHeaders } from '../openapi/headers.js'
import type { Operation } from '../openapi/operation.js'
import { rateLimitProblems } from '../openapi/problems.js'
import type { Route } from '../route.js'
import type { RateLimits } from './rate-limits.js'

/** Returns the route with the rate limit of its group; a route of any other group stays as it is. */
export function withRateLimit(route: Route, limits: RateLimits): Route {
  const limit = limits.get(route.group)
  if (limit === undefined) return route
  const { operation } = route
  return {
    ...route,
    ...(operation && { operation: describeLimited(operation) }),
    guards: [limit.limiter, ...route.guards],
  }
}

function describeLimited({ responses, problems = [], ...rest }: Operation): Operation {
  const limited = Object.entries(responses).map(([status, response]) => [
    status,
    { ...response, headers: [...(response.headers ?? []), ...rateHeaders] },
  ])
  return {
    ...rest,
    responses: Object.fromEntries(limited) as Operation['responses'],
    problems: [...problems, ...rateLimitProblems],
  }
}
