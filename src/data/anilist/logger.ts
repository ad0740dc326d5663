/** What this folder needs of a logger; a pino logger fits. */
export interface Logger {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** For commands: one line a message, without timestamps; `debug` stays silent. */
export function createLineLogger(write: (line: string) => void): Logger {
  return {
    debug: () => undefined,
    info: (_fields, message) => write(message),
    warn: (_fields, message) => write(`warning: ${message}`),
    error: (_fields, message) => write(`error: ${message}`),
  }
}
