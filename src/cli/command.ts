import type { Settings } from '../base/config/settings.js'

/** One command of the CLI. `run` resolves to the exit status. */
export interface Command {
  /** Words that call it, e.g. `data import`. */
  readonly name: string
  /** One sentence for the overview. */
  readonly summary: string
  /** Full help: usage line, options, an example. */
  readonly help: string
  /** @param argv the words after the command's name that are not settings */
  run(argv: readonly string[], settings: Settings): Promise<number>
}
