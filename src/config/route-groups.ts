/** The route groups of `--enable-routes` and `--rate-limit`. */
export const routeGroups = [
  'searchmodel',
  'search',
  'similar',
  'browse',
  'page',
  'feedback',
  'models',
  'v1',
  'docs',
  'health',
  'metrics',
  'status',
] as const
export type RouteGroup = (typeof routeGroups)[number]
