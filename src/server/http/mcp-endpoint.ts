/** What POST /mcp hands a request to; src/server/mcp has the tools behind it. */
export type McpEndpoint = (call: {
  readonly request: Request
  /** The JSON-RPC message. */
  readonly body: unknown
  readonly signal: AbortSignal
  readonly work: <T>(task: () => Promise<T>) => Promise<T>
  readonly onQuery: (query: string) => void
  readonly onTimings: (timings: object) => void
  readonly onError: (error: unknown) => void
}) => Promise<Response>
