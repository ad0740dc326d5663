/** The document of a server with a dataset whose ids are texts: ids of entries are integers or texts there. */
import type { JsonObject } from './json-schema.js'

/** Members of schemas, and parameters of paths, that hold ids of entries, one or several. */
const names: ReadonlySet<string> = new Set(['id', 'work', 'ids', 'exclude', 'seen'])

export const withEntryIds = (document: JsonObject): JsonObject => walk(document) as JsonObject

function walk(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(walk)
  if (!isObject(value)) return value
  if (value.in === 'path' && value.name === 'id') return { ...value, schema: either(value.schema) }
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      name === 'properties' && isObject(member) ? properties(member) : walk(member),
    ]),
  )
}

const properties = (members: JsonObject) =>
  Object.fromEntries(
    Object.entries(members).map(([name, schema]) => [
      name,
      names.has(name) ? either(schema) : walk(schema),
    ]),
  )

/** Bounds of numbers mean nothing to texts, so they stay. */
function either(schema: unknown): unknown {
  if (!isObject(schema)) return schema
  if (schema.type === 'integer') return { ...schema, type: ['integer', 'string'] }
  return schema.type === 'array' ? { ...schema, items: either(schema.items) } : walk(schema)
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
