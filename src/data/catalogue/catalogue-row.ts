/** An entry as it goes into a catalogue. */
import type { Entry } from './entry.js'
import type { EntryFacts } from './entry-facts.js'

export interface CatalogueRow extends Omit<Entry, 'facts'> {
  /** Nothing is known where it is absent. */
  readonly facts?: EntryFacts
  /** In the order of the columns, null where blank. */
  readonly texts: readonly (string | null)[]
  /**
   * -ln of the share of its source's works that at least as many know: 0 for the least known, 4.6 for
   * one of the first hundredth, 1 on average, whatever the source counts. Null where no source has it.
   */
  readonly popularity?: number | null
}
