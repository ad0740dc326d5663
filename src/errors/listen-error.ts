/** The address that was asked for cannot be bound. */
export class ListenError extends Error {
  override readonly name = 'ListenError'

  constructor(host: string, port: number, cause: unknown) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown'
    const problem =
      problems[code] ?? `cannot be bound (${code}); choose others with --host and --port`
    super(`port ${port} of ${host} ${problem}`, { cause })
  }
}

const problems: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is taken; choose another with --port',
  EACCES: 'may not be bound by this user; choose one above 1023 with --port',
  EADDRNOTAVAIL: 'is not an address of this machine; choose another with --host',
  ENOTFOUND: 'is not an address; choose another with --host',
}
