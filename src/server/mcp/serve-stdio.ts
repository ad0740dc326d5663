/** The tools over stdin and stdout, for a program that starts this one. */
import { serveStdio as serveProtocol } from '@modelcontextprotocol/server/stdio'
import type { Logger } from 'pino'
import type { DatasetName } from '../../data/catalogue/catalogue.js'
import { problemKind } from '../problems/error-status.js'
import { createMcpServer } from './mcp-server.js'
import { createResources } from './resources.js'
import type { ToolServices } from './tool.js'
import { createTools } from './tools.js'

/** What the tools are for. */
export interface ToolDatasets {
  readonly datasets: readonly DatasetName[]
  /** Whether ids of one of them are texts. */
  readonly hasTextIds: boolean
}

interface StdioOptions extends ToolDatasets {
  readonly logger: Logger
  readonly signal: AbortSignal
}

/**
 * Resolves when the other program closes its end, or when the signal is aborted. Rejects where the services cannot be
 * had: the other program has its handshake before they are there.
 */
export async function serveStdio(
  services: Promise<ToolServices>,
  { datasets, hasTextIds, logger, signal }: StdioOptions,
): Promise<void> {
  const tools = createTools(services, datasets, hasTextIds)
  const resources = createResources(services, datasets, hasTextIds)
  const create = () =>
    createMcpServer({
      tools,
      resources,
      call: { onQuery: () => undefined, onTimings: () => undefined },
      signal,
      work: (task) => task(),
      onError(error) {
        const { status, name } = problemKind(error)
        if (status >= 500) logger.error({ err: error }, name)
      },
    })
  const ended = new Promise<void>((resolve) => {
    process.stdin.once('end', resolve).once('close', resolve)
    process.stdout.once('error', resolve)
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
  const mcp = serveProtocol(create)
  try {
    await Promise.all([services, ended])
  } finally {
    await mcp.close()
  }
}
