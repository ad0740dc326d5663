/** A benchmark: it first checks that the answers are right, then prints times next to a baseline's. */
export interface Trial {
  /** Any of these on the command line chooses the trial. */
  readonly words: readonly string[]
  /** One sentence for the overview. */
  readonly summary: string
  run(print: (line: string) => void): Promise<void>
}
