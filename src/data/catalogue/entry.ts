/** One work of a dataset. */
import type { EntryFacts } from './entry-facts.js'

/** Metadata beyond the named members is kept under the names of the mapping. */
export interface Entry {
  readonly id: number
  readonly title: string
  /** Lower-case snake, e.g. `tv`, `movie`, `light_novel`. */
  readonly type: string | null
  readonly genres: readonly string[]
  readonly year: number | null
  /** Average rating by the users of its site, 0 to 10. */
  readonly score: number | null
  readonly facts: EntryFacts
  readonly metadata: Readonly<Record<string, unknown>>
}
