/** The route groups of `--enable-routes` and `--rate-limit`. */

/** What a key needs to open the routes of a group, where `--api-keys` asks for keys; `open` needs none. */
export const scopeOfGroup = {
  searchmodel: 'search',
  search: 'search',
  similar: 'search',
  browse: 'search',
  page: 'open',
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
