export { Synoptic, type SynopticOptions } from './client.js'
export {
  AccessError,
  ConnectionError,
  InvalidRequestError,
  NotFoundError,
  type Problem,
  RateLimitedError,
  ServerError,
  SynopticError,
  UnavailableError,
} from './errors.js'
export { isFailed } from './types.js'
export type * from './types.js'
export type { components, operations, paths } from './openapi.js'
