/** POST /mcp: messages of JSON-RPC 2.0. The protocol's own library checks what is inside. */
import * as v from 'valibot'
import { notAnObject, unlike } from './parts.js'

const version = v.literal('2.0', unlike('2.0'))
const id = v.optional(v.union([v.string(), v.number()], unlike('a text or a number')))

export const mcpMessage = v.pipe(
  v.looseObject(
    {
      jsonrpc: v.pipe(version, v.description('The version of JSON-RPC.')),
      method: v.pipe(
        v.string(unlike('a text')),
        v.description('What is called, such as `tools/call`.'),
      ),
      id: v.pipe(id, v.description('Comes back with the answer; absent in a notification.')),
    },
    notAnObject,
  ),
  v.title('McpMessage'),
  v.description('One request or notification; batches are refused.'),
)

export const mcpResponse = v.pipe(
  v.looseObject({ jsonrpc: version }),
  v.title('McpResponse'),
  v.description('`result`, or `error` with `code` and `message`.'),
)
