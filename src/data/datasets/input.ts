import type { Origin } from '../catalogue/catalogue.js'
import type { Mapping } from './mapping.js'
import type { NumberedRow } from './raw-rows.js'

/** A file and how it is read. */
export interface Input {
  readonly file: string
  readonly mapping: Mapping
  /** Reads the rows of a file that is neither CSV nor JSON lines as a mapping describes them. */
  readonly rows?: RowReader | undefined
  /** Whether the mapping was guessed from the file. */
  readonly isGuess?: boolean | undefined
  /** Whose data it is, and on which terms. */
  readonly origin?: Origin | undefined
}

/**
 * @param onBytes called with the size of each piece that was read
 * @param scratch a path at which the reader may keep a file while it reads
 */
export type RowReader = (
  onBytes: (bytes: number) => void,
  scratch: string,
) => AsyncIterable<NumberedRow>
