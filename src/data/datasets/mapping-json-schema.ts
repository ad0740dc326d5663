/** The JSON Schema of mapping files, for editors. tools/mapping-schema.js writes it to data/mapping.schema.json. */
import { toJsonSchema, type ConversionConfig } from '@valibot/to-json-schema'
import type * as v from 'valibot'
import { constantSchema, fieldSchema, sourceSchema } from './field.js'
import { mappingSchema } from './mapping.js'
import { orderSchema, popularitySchema } from './popularity.js'
import { tagsSchema } from './tags.js'

const field = { $ref: '#/$defs/field' }

/** Schemas that look at their input before they choose, which JSON Schema writes as a choice. */
const choices = new Map<unknown, object>([
  [fieldSchema, field],
  [tagsSchema, { anyOf: [field, { type: 'array', items: field }] }],
  [popularitySchema, { anyOf: [field, { $ref: '#/$defs/order' }] }],
])

const conversion: ConversionConfig = {
  target: 'draft-2020-12',
  typeMode: 'input',
  // Checks by a function, which the descriptions tell.
  errorMode: 'ignore',
  overrideRef: ({ valibotSchema }) => (valibotSchema === fieldSchema ? field.$ref : undefined),
  overrideSchema: ({ valibotSchema }) => choices.get(valibotSchema),
}

export function mappingJsonSchema(): object {
  const convert = (schema: v.GenericSchema) => {
    const { $schema, ...json } = toJsonSchema(schema, conversion)
    return $schema === undefined ? {} : json
  }
  const { properties, ...mapping } = convert(mappingSchema)
  const source = convert(sourceSchema)
  const named = { type: 'object', additionalProperties: field }
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'A mapping of Synoptic',
    ...mapping,
    // Records of any name are checked by functions.
    properties: { ...properties, metadata: named, texts: named },
    $defs: {
      field: { anyOf: [{ type: 'string' }, withValues(source), convert(constantSchema)] },
      order: convert(orderSchema),
    },
  }
}

function withValues({ properties, ...source }: ReturnType<typeof toJsonSchema>): object {
  const replacements = { type: 'object', additionalProperties: { type: ['string', 'null'] } }
  return { ...source, properties: { ...properties, values: replacements } }
}
