import type { Mapping } from './mapping.js'

/** A file and how it is read. */
export interface Input {
  readonly file: string
  readonly mapping: Mapping
}
