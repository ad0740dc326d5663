export function holds(
  line: {
    readonly top: number
    readonly has?: readonly string[]
    readonly not?: readonly string[]
    readonly matching?: string
    readonly notMatching?: string
  },
  titles: readonly string[],
): boolean
