/* eslint-disable @typescript-eslint/no-deprecated -- McpServer announces changes of a list that never changes. */
/** The tools and resources behind the official SDK of the Model Context Protocol, for any of its transports. */
import {
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type CallToolResult,
} from '@modelcontextprotocol/server'
import * as v from 'valibot'
import { ValidationError } from '../../base/errors/index.js'
import { inlineSchema } from '../http/openapi/json-schema.js'
import { problemOf } from '../problems/problem.js'
import { bodyProblemsOf } from '../problems/problem-paths.js'
import { version } from '../../base/util/version.js'
import type { Resources } from './resources.js'
import type { Tool, ToolCall } from './tool.js'

export interface McpOptions {
  readonly tools: readonly Tool[]
  readonly resources: Resources
  readonly call: Omit<ToolCall, 'signal'>
  /** Aborts every call. */
  readonly signal: AbortSignal
  /** Runs a call; a server of many clients lets it wait or refuses it. */
  readonly work: <T>(task: () => Promise<T>) => Promise<T>
  /** Called for every call that failed. */
  readonly onError: (error: unknown) => void
}

const instructions =
  'Synoptic finds works, such as anime and manga, by a description in plain English. Describe what the user remembers ' +
  'or wants in one sentence; it may contain names of works, genres, years and exclusions.'

/** What never changes may be kept for an hour. */
const cacheHint = { ttlMs: 3_600_000, cacheScope: 'public' } as const

export function createMcpServer(options: McpOptions): Server {
  const { tools, resources, call, signal, work, onError } = options
  const mcp = new Server(
    { name: 'synoptic', title: 'Synoptic', version },
    {
      capabilities: { tools: {}, resources: {} },
      instructions,
      cacheHints: {
        'server/discover': cacheHint,
        'tools/list': cacheHint,
        'resources/list': cacheHint,
        'resources/templates/list': cacheHint,
      },
    },
  )
  mcp.setRequestHandler('tools/list', () => ({ tools: tools.map(describe) }))
  mcp.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const tool = tools.find(({ name }) => name === params.name)
    if (tool === undefined) {
      const names = tools.map(({ name }) => name).join(', ')
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `there is no such tool; there are ${names}`,
      )
    }
    try {
      const input = read(tool, params.arguments ?? {})
      const signals = AbortSignal.any([signal, mcpReq.signal])
      return resultOf(await work(() => tool.run(input, { ...call, signal: signals })))
    } catch (error) {
      onError(error)
      // The model reads this, and may call again with other arguments.
      const { detail } = problemOf(error, '')
      return { content: [{ type: 'text', text: detail }], isError: true }
    }
  })
  // There are too many works to list.
  mcp.setRequestHandler('resources/list', () => ({ resources: [] }))
  mcp.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [...resources.templates],
  }))
  mcp.setRequestHandler('resources/read', async ({ params: { uri } }) => {
    try {
      return await work(() => resources.read(uri))
    } catch (error) {
      if (error instanceof ProtocolError) throw error
      onError(error)
      throw new ProtocolError(ProtocolErrorCode.InternalError, problemOf(error, '').detail)
    }
  })
  return mcp
}

const describe = ({ name, title, description, schema, output }: Tool) => ({
  name,
  title,
  description,
  inputSchema: { ...inlineSchema(schema), type: 'object' as const },
  outputSchema: { ...inlineSchema(output), type: 'object' as const },
  annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
})

function read({ schema }: Tool, input: object): unknown {
  // Models write null or an empty list for what they leave out.
  const isGiven = (value: unknown) =>
    value !== null && !(Array.isArray(value) && value.length === 0)
  const given = Object.entries(input).filter(([, value]) => isGiven(value))
  const checked = v.safeParse(schema, Object.fromEntries(given), { abortPipeEarly: true })
  if (checked.success) return checked.output
  throw new ValidationError(bodyProblemsOf(checked.issues))
}

/** As text for models, and as an object for programs. */
const resultOf = (answer: object): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(answer) }],
  structuredContent: { ...answer },
})
