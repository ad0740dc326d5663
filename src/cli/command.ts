import type { Settings } from '../config/settings.js'

/** One command of the CLI. `run` answers the exit status. */
export interface Command {
  /** Words that call it, e.g. `data import`. */
  readonly name: string
  /** One sentence for the overview. */
  readonly summary: string
  /** Full help: usage line, options, an example. */
  readonly help: string
  /** @param argv what follows the command's words and is no setting */
  run(argv: readonly string[], settings: Settings): Promise<number>
}
