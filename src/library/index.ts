/** What a program gets that imports `synoptic`. docs/library.md describes it. */
export { openIndex } from './open-index.js'
export { createServer } from './create-server.js'
export type {
  Choice,
  Dataset,
  Filter,
  FindOptions,
  Found,
  OpenOptions,
  SearchIndex,
  SearchServer,
  ServerOptions,
  Similar,
  Work,
} from './types.js'
