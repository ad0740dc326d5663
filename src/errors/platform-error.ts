/** A part of the program has no library for this system. The message says which systems it has one for. */
export class PlatformError extends Error {
  override readonly name = 'PlatformError'
}
