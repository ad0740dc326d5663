/** The route groups of `--enable-routes` and `--rate-limit`. */

/** The scope that a key needs for the routes of a group, with `--api-keys`; `open` needs no key. */
export const scopeOfGroup = {
  searchmodel: 'search',
  search: 'search',
  similar: 'search',
  browse: 'search',
  page: 'open',
  writes: 'write',
  map: 'search',
  feedback: 'search',
  models: 'search',
  v1: 'embed',
  mcp: 'search',
  docs: 'open',
  health: 'open',
  metrics: 'admin',
  status: 'admin',
} as const

export type RouteGroup = keyof typeof scopeOfGroup
export const routeGroups = Object.keys(scopeOfGroup) as readonly RouteGroup[]
