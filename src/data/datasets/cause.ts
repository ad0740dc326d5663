/** The code or message of a caught value, e.g. `ENOENT`; never a path or a stack. */
export function codeOf(cause: unknown): string {
  if (cause instanceof Error && 'code' in cause) return String(cause.code)
  return cause instanceof Error ? cause.message : String(cause)
}
