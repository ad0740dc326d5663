/** The groups of routes that `--enable-routes` knows. */
export const routeGroups = [
  'searchmodel',
  'search',
  'similar',
  'models',
  'docs',
  'health',
  'metrics',
] as const
export type RouteGroup = (typeof routeGroups)[number]
