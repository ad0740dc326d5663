/** An example of a message, as the documentation shows it. */
export interface Example {
  readonly summary: string
  readonly value: unknown
}
