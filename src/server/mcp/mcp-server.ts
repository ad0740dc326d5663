/* eslint-disable @typescript-eslint/no-deprecated -- McpServer announces changes of a list that never changes. */
/** The tools behind the official SDK of the Model Context Protocol, for any of its transports. */
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import {
  CallToolRequestSchema,
  ErrorCode,
  ListToolsRequestSchema,
  type CallToolResult,
} from '@modelcontextprotocol/sdk/types.js'
import * as v from 'valibot'
import { ValidationError } from '../../base/errors/index.js'
import { inlineSchema } from '../http/openapi/json-schema.js'
import { problemOf } from '../problems/problem.js'
import { bodyProblemsOf } from '../problems/problem-paths.js'
import { version } from '../../base/util/version.js'
import type { Tool, ToolCall } from './tools.js'

export interface McpOptions {
  readonly tools: readonly Tool[]
  readonly call: Omit<ToolCall, 'signal'>
  /** Aborts every call. */
  readonly signal: AbortSignal
  /** Runs a call; a server of many clients lets it wait or refuses it. */
  readonly work: <T>(task: () => Promise<T>) => Promise<T>
  /** Called for every call that failed. */
  readonly onError: (error: unknown) => void
}

const instructions =
  'Synoptic finds anime and manga by a description of their plot in plain English. Describe what the user remembers ' +
  'or wants in one sentence; it may contain names of works, genres, years and exclusions.'

export function createMcpServer({ tools, call, signal, work, onError }: McpOptions): Server {
  const mcp = new Server(
    { name: 'synoptic', title: 'Synoptic', version },
    { capabilities: { tools: {} }, instructions },
  )
  mcp.setRequestHandler(ListToolsRequestSchema, () => ({ tools: tools.map(describe) }))
  mcp.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
    const tool = tools.find(({ name }) => name === params.name)
    if (tool === undefined) {
      const names = tools.map(({ name }) => name).join(', ')
      // An McpError would put its prefix into the message, where clients put another.
      const problem = new Error(`there is no such tool; there are ${names}`)
      throw Object.assign(problem, { code: ErrorCode.InvalidParams })
    }
    try {
      const input = read(tool, params.arguments ?? {})
      const signals = AbortSignal.any([signal, extra.signal])
      return resultOf(await work(() => tool.run(input, { ...call, signal: signals })))
    } catch (error) {
      onError(error)
      // The model reads this, and may call again with other arguments.
      const { detail } = problemOf(error, '')
      return { content: [{ type: 'text', text: detail }], isError: true }
    }
  })
  return mcp
}

const describe = ({ name, title, description, schema }: Tool) => ({
  name,
  title,
  description,
  inputSchema: { ...inlineSchema(schema), type: 'object' as const },
  annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
})

function read({ schema }: Tool, input: unknown): unknown {
  const checked = v.safeParse(schema, input, { abortPipeEarly: true })
  if (checked.success) return checked.output
  throw new ValidationError(bodyProblemsOf(checked.issues))
}

/** As text for models, and as an object for programs. */
const resultOf = (answer: object): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(answer) }],
  structuredContent: { ...answer },
})
