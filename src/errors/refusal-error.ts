/**
 * Thrown for each request of a flood, so it is cheap: it has no stack, which takes ten microseconds to make
 * and is always the same.
 */
export class RefusalError extends Error {
  constructor(message: string) {
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    super(message)
    Error.stackTraceLimit = stackTraceLimit
  }
}
