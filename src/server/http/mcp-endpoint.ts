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
}) => Promise<McpAnswer>

interface McpAnswer {
  readonly response: Response
  /** Whether the message is of a revision before 2026, which knows no errors with a status of their own. */
  readonly isLegacy: boolean
}
