/** GET /openapi.json as a test reads it. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { TestApp } from './harness.js'

export type Json = Record<string, unknown>

type Examples = Readonly<Record<string, { readonly value: Json }>>

export interface OpenApi {
  readonly openapi: string
  readonly info: { readonly version: string }
  readonly tags: readonly { readonly name: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly schemas: Json
    readonly headers: Json
    readonly examples: Examples
  }
}

export interface Operation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: {
    readonly content: {
      readonly 'application/json': { readonly schema: Json; readonly examples: Examples }
    }
  }
  readonly responses: Readonly<Record<string, Answer>>
}

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required: boolean
  readonly schema: Json
}

interface Answer {
  readonly description: string
  readonly headers: Json
  readonly content: Readonly<Record<string, { readonly schema: Json; readonly examples?: Json }>>
}

export async function readOpenApi({ app }: TestApp): Promise<OpenApi> {
  return (await (await app.request('/openapi.json')).json()) as OpenApi
}

export function operationOf(document: OpenApi, path: string, method: string): Operation {
  const operation = document.paths[path]?.[method]
  if (operation === undefined) throw new Error(`${method} ${path} is not documented`)
  return operation
}

const validators = new WeakMap<OpenApi, (schema: Json) => ValidateFunction>()

/** Checks against a schema anywhere in the document, in the strict mode of ajv. */
export function compile(document: OpenApi, schema: Json): ValidateFunction {
  const known = validators.get(document) ?? compilerOf(document)
  validators.set(document, known)
  return known(schema)
}

function compilerOf({ components }: OpenApi): (schema: Json) => ValidateFunction {
  const ajv = new Ajv2020({ allErrors: true, strictRequired: false })
  // ajv takes references into a schema by its $id, and knows $defs but no `components`.
  const local = (schema: Json) =>
    JSON.stringify(schema).replaceAll('"#/components/schemas/', '"components#/$defs/')
  ajv.addSchema(JSON.parse(local({ $id: 'components', $defs: components.schemas })) as Json)
  const compiled = new Map<string, ValidateFunction>()
  return (schema) => {
    const text = local(schema)
    const validate = compiled.get(text) ?? ajv.compile(JSON.parse(text) as Json)
    compiled.set(text, validate)
    return validate
  }
}
