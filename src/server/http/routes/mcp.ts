/** POST /mcp: the searches as tools of the Model Context Protocol. */
import { NotAcceptableError, ValidationError } from '../../../base/errors/index.js'
import { problemKind } from '../../problems/error-status.js'
import type { Operation } from '../openapi/operation.js'
import { admitProblems, bodyProblems } from '../openapi/problems.js'
import { reportPhases } from '../phases.js'
import { readJson } from '../read-json.js'
import type { Guards, Route } from '../route.js'
import { mcpMessage, mcpResponse } from '../../schemas/mcp.js'
import type { AppServices } from '../services.js'

export function mcpRoutes(
  { mcp, settings, logger }: Pick<AppServices, 'mcp' | 'settings' | 'logger'>,
  { admit, work }: Guards,
): Route[] {
  if (mcp === undefined) return []
  return [
    {
      group: 'mcp',
      method: 'POST',
      path: '/mcp',
      operation: calling,
      guards: admit,
      async handler(c) {
        const body = await readJson(c, mcpMessage, settings.bodyLimit)
        const { response, isLegacy } = await mcp({
          request: c.req.raw,
          body,
          signal: c.get('signal'),
          work: (task) => work(c, task),
          onQuery: (query) => c.set('query', query),
          onTimings: (timings) => reportPhases(c, timings),
          onError(error) {
            const { status, name } = problemKind(error)
            if (status >= 500) logger.error({ requestId: c.get('requestId'), err: error }, name)
          },
        })
        const text = await response.text()
        if (response.status === 406) throw new NotAcceptableError(messageOf(text))
        if (!response.ok && isLegacy) {
          throw new ValidationError([{ path: '', message: messageOf(text) }])
        }
        // Made again, so that it has the headers of every response.
        if (text === '') return c.body(null, 202)
        // From 2026 on, clients read errors of JSON-RPC whatever the status.
        const status = response.ok ? 200 : response.status === 404 ? 404 : 400
        return c.body(text, status, { 'Content-Type': 'application/json' })
      },
    },
  ]
}

/** What the protocol's library says of a message that is none of the protocol. */
function messageOf(text: string): string {
  const { error } = JSON.parse(text) as { readonly error?: { readonly message?: string } }
  return error?.message ?? 'expected a message of the Model Context Protocol'
}

const calling: Operation = {
  id: 'callMcp',
  tag: 'Search',
  summary: 'The searches as tools for language models',
  description: `One message of the Model Context Protocol (streamable HTTP, without sessions). The tools are
find_anime, find_manga, similar, recommend and get_entry; resources are the pages of works. \`Accept\` has to
name \`application/json\` and \`text/event-stream\`, as the protocol wants it; the answer is always JSON.`,
  body: {
    schema: mcpMessage,
    examples: {
      list: { summary: 'Lists the tools', value: { jsonrpc: '2.0', id: 1, method: 'tools/list' } },
    },
  },
  responses: {
    200: { description: 'The answer, or a JSON-RPC error.', schema: mcpResponse },
    202: { description: 'Nothing: the message was a notification.' },
  },
  problems: [...bodyProblems, ...admitProblems, 'not-acceptable'],
}
