/**
 * The tools over HTTP (streamable HTTP, without sessions): each request is answered whole by whichever process
 * gets it, so nothing has to be kept between requests. The body says which revision of the protocol it follows.
 */
import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import type { DatasetName } from '../../data/catalogue/catalogue.js'
import { createEntryIds } from '../http/entry-ids.js'
import type { McpEndpoint } from '../http/mcp-endpoint.js'
import { createMcpServer } from './mcp-server.js'
import { createResources } from './resources.js'
import type { ToolServices } from './tool.js'
import { createTools } from './tools.js'

export function createMcpEndpoint(
  services: ToolServices,
  datasets: readonly DatasetName[],
): McpEndpoint {
  const { hasTexts } = services.entryIds ?? createEntryIds(services.catalogue)
  const tools = createTools(services, datasets, hasTexts)
  const resources = createResources(services, datasets, hasTexts)
  return async ({ request, body, ...options }) => {
    const { onQuery, onTimings, ...rest } = options
    const create = () =>
      createMcpServer({ ...rest, tools, resources, call: { onQuery, onTimings } })
    const isLegacy = await isLegacyRequest(request, body)
    const answer = isLegacy ? answerLegacy : answerModern
    return { response: await answer(create, request, body), isLegacy }
  }
}

type Create = () => ReturnType<typeof createMcpServer>
type Answer = (create: Create, request: Request, body: unknown) => Promise<Response>

/** By the revision of 2026, which has no handshake. */
const answerModern: Answer = async (create, request, body) => {
  // Nothing ever changes, so nobody may wait for a change.
  const handler = createMcpHandler(create, { responseMode: 'json', maxSubscriptions: 0 })
  try {
    return await handler.fetch(request, { parsedBody: body })
  } finally {
    await handler.close()
  }
}

const answerLegacy: Answer = async (create, request, body) => {
  const mcp = create()
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  try {
    await mcp.connect(transport)
    return await transport.handleRequest(request, { parsedBody: body })
  } finally {
    await mcp.close()
  }
}
