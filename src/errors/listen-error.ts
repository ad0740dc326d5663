/** The server cannot listen on its address. */
export class ListenError extends Error {
  override readonly name = 'ListenError'

  constructor(host: string, port: number, cause: unknown) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown'
    const problem =
      problems[code] ?? `cannot be used (${code}); choose others with --host and --port`
    super(`port ${port} of ${host} ${problem}`, { cause })
  }
}

const problems: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is in use; choose another with --port',
  EACCES: 'needs more rights; choose one above 1023 with --port',
  EADDRNOTAVAIL: 'does not exist: the machine has no such address; choose another with --host',
  ENOTFOUND: 'does not exist: the host is unknown; choose another with --host',
}
