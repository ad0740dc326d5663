/** valibot's schemas as the JSON Schema (2020-12) that OpenAPI 3.1 holds. */
import { toJsonSchema, toJsonSchemaDefs, type ConversionConfig } from '@valibot/to-json-schema'
import * as v from 'valibot'

export type JsonObject = Readonly<Record<string, unknown>>

/** Parameters of a path or query, by name. */
export type ParameterSchemas = Readonly<Record<string, v.GenericSchema>>

/** Schemas with a title, and those within them, as `components.schemas`. */
export function componentSchemas(messages: readonly v.GenericSchema[]): JsonObject {
  const titled = new Map<string, v.GenericSchema>()
  for (const message of messages) collectTitled(message, titled)
  return toJsonSchemaDefs(Object.fromEntries(titled), {
    ...conversion,
    typeMode: 'input',
    overrideRef: ({ referenceId }) => pointerTo(referenceId),
  })
}

/** @throws where the schema has no title by which to find it */
export function referenceTo(schema: v.GenericSchema): JsonObject {
  const title = v.getTitle(schema)
  if (title === undefined) throw new Error('expected a schema with a title')
  return { $ref: pointerTo(title) }
}

/** A schema alone, with all that is inside it. */
export const inlineSchema = (schema: v.GenericSchema): JsonObject => ({
  ...toJsonSchema(schema, { ...conversion, typeMode: 'input' }),
})

/** A parameter arrives as text; the type that it is read as is documented. */
export function parameters(where: 'path' | 'query', schemas: ParameterSchemas): JsonObject[] {
  const converted = toJsonSchemaDefs({ ...schemas }, { ...conversion, typeMode: 'output' })
  return Object.entries(converted).map(([name, { description, examples, ...schema }]) => ({
    name,
    in: where,
    required: where === 'path' || schemas[name]?.type !== 'optional',
    ...(description && { description }),
    // What "Try it out" begins with.
    ...(Array.isArray(examples) && { example: examples[0] }),
    schema,
  }))
}

const conversion: ConversionConfig = {
  target: 'draft-2020-12',
  overrideSchema({ valibotSchema, jsonSchema }) {
    const { default: fallback, ...rest } = jsonSchema
    // Linters such as Spectral take `items: false` for a list without `items`.
    if (valibotSchema.type === 'strict_tuple') {
      return {
        ...rest,
        items: rest.prefixItems?.[0] ?? {},
        maxItems: rest.prefixItems?.length ?? 0,
      }
    }
    // Some readers take an object that does not say it for one that has no members of other names.
    if (valibotSchema.type === 'loose_object') return { ...rest, additionalProperties: true }
    // Generators of clients make members with a `default` required, so the description states it.
    if (fallback === undefined) return undefined
    const stated = `Default: \`${typeof fallback === 'string' ? fallback : JSON.stringify(fallback)}\`.`
    return { ...rest, description: [rest.description, stated].filter(Boolean).join(' ') }
  },
  overrideAction({ valibotAction, jsonSchema }) {
    // Trimming leaves something only where something is not blank.
    if (valibotAction.type === 'trim') return { ...jsonSchema, pattern: '\\S' }
    // Lengths of JSON Schema count code points too.
    if (valibotAction.type === 'max_code_points' && 'requirement' in valibotAction) {
      return { ...jsonSchema, maxLength: Number(valibotAction.requirement) }
    }
    // The description says what a function checks.
    return ['check', 'raw_check'].includes(valibotAction.type) ? jsonSchema : undefined
  },
}

const pointerTo = (title: string) => `#/components/schemas/${title}`

function collectTitled(schema: v.GenericSchema, titled: Map<string, v.GenericSchema>): void {
  const title = v.getTitle(schema)
  if (title !== undefined) titled.set(title, schema)
  for (const inner of innerSchemas(schema)) collectTitled(inner, titled)
}

/** What objects, arrays, optional members, records and unions are made of. */
function innerSchemas(schema: v.GenericSchema): v.GenericSchema[] {
  const { entries, item, wrapped, value, options } = schema as {
    entries?: Readonly<Record<string, v.GenericSchema>>
    item?: v.GenericSchema
    wrapped?: v.GenericSchema
    value?: v.GenericSchema
    /** Of a list of words, its words. */
    options?: readonly unknown[]
  }
  const alternatives = schema.type === 'union' ? (options as readonly v.GenericSchema[]) : []
  return [...Object.values(entries ?? {}), item, wrapped, value, ...alternatives].filter(
    (inner) => inner !== undefined,
  )
}
