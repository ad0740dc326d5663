/**
 * The tools over HTTP (streamable HTTP, without sessions): each request is answered whole by whichever process
 * gets it, so nothing has to be kept between requests.
 */
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import type { McpEndpoint } from '../http/mcp-endpoint.js'
import { createMcpServer } from './mcp-server.js'
import { createTools, type ToolServices } from './tools.js'

export function createMcpEndpoint(services: ToolServices): McpEndpoint {
  const tools = createTools(services)
  return async ({ request, body, ...options }) => {
    const { onQuery, onTimings, ...rest } = options
    const mcp = createMcpServer({ ...rest, tools, call: { onQuery, onTimings } })
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
    try {
      await mcp.connect(transport)
      return await transport.handleRequest(request, { parsedBody: body })
    } finally {
      await mcp.close()
    }
  }
}
