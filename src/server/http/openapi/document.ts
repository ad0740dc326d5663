/** The OpenAPI 3.1 document of the routes that are served. */
import { templateOf, type Route } from '../route.js'
import { problem } from '../../schemas/problem.js'
import { headers } from './headers.js'
import { componentSchemas, parameters, referenceTo, type JsonObject } from './json-schema.js'
import { withEntryIds } from './text-ids.js'
import type { Operation, OperationResponse } from './operation.js'
import { problemExamples } from './problem-examples.js'
import { headerReferences, problemResponses } from './problems.js'
import { tags } from './tags.js'

interface DocumentOptions {
  readonly version: string
  /** Whether ids of a dataset are texts. */
  readonly hasTextIds: boolean
}

/** @param routes those without an operation are left out */
export function openApiDocument(
  routes: readonly Route[],
  { version, hasTextIds }: DocumentOptions,
): JsonObject {
  const described = routes.flatMap(({ method, path, operation }) =>
    operation === undefined ? [] : [{ method, path, operation }],
  )
  const operations = described.map(({ operation }) => operation)
  const paths: Record<string, Record<string, JsonObject>> = {}
  for (const { method, path, operation } of described) {
    const item = (paths[templateOf(path)] ??= {})
    item[method.toLowerCase()] = operationObject(operation)
  }
  const document = {
    openapi: '3.1.1',
    info: {
      title: 'Synoptic',
      version,
      summary: 'Finds the anime or manga that you describe.',
      description: introduction,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    // Relative to this document, so that it is right behind a proxy's prefix too.
    servers: [{ url: '.', description: 'This server' }],
    tags: Object.entries(tags)
      .filter(([name]) => operations.some(({ tag }) => tag === name))
      .map(([name, description]) => ({ name, description })),
    // Nothing is needed where an operation does not say what.
    security: [],
    paths,
    components: {
      schemas: componentSchemas([...messagesOf(operations), problem]),
      headers: referredTo('headers', headers, paths),
      examples: referredTo('examples', problemExamples, paths),
      ...(operations.some(({ scope }) => scope) && { securitySchemes }),
    },
  }
  return hasTextIds ? withEntryIds(document) : document
}

const introduction = `Describe a plot in your own words and get the best-matching titles.

Every error has the same body, \`application/problem+json\`, but on the routes in the shapes of other servers; its \`type\` is for programs, \`detail\` for people. Every response has an
\`X-Request-Id\`: that of the request, or a new one. JSON is UTF-8; text lengths are counted in Unicode code points.`

/** A key, in either of two headers. */
const securitySchemes = {
  bearer: { type: 'http', scheme: 'bearer' },
  apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
} as const

const messagesOf = (operations: readonly Operation[]) =>
  operations.flatMap(({ body, responses, errors }) =>
    [body?.schema, errors?.schema, ...Object.values(responses).map(({ schema }) => schema)].filter(
      (schema) => schema !== undefined,
    ),
  )

/** The components that the paths refer to. */
function referredTo(kind: string, components: JsonObject, paths: JsonObject): JsonObject {
  const text = JSON.stringify(paths)
  return Object.fromEntries(
    Object.entries(components).filter(([name]) => text.includes(`"#/components/${kind}/${name}"`)),
  )
}

function operationObject(operation: Operation): JsonObject {
  const { id, tag, summary, description, path, query, body, responses, problems, errors, scope } =
    operation
  const own = Object.entries(responses).map(([status, response]) => [
    status,
    responseObject(response),
  ])
  const inputs = [...parameters('path', path ?? {}), ...parameters('query', query?.entries ?? {})]
  return {
    operationId: id,
    tags: [tag],
    summary,
    description,
    ...(scope && { security: Object.keys(securitySchemes).map((name) => ({ [name]: [] })) }),
    ...(inputs.length > 0 && { parameters: inputs }),
    ...(body && {
      requestBody: {
        required: true,
        content: {
          'application/json': { schema: referenceTo(body.schema), examples: body.examples },
        },
      },
    }),
    responses: { ...problemResponses(problems ?? [], errors), ...Object.fromEntries(own) },
  }
}

function responseObject({ description, headers, type, schema }: OperationResponse): JsonObject {
  return {
    description,
    headers: headerReferences(['X-Request-Id', ...(headers ?? [])]),
    content: {
      [type ?? 'application/json']: {
        schema: schema === undefined ? { type: 'string' } : referenceTo(schema),
      },
    },
  }
}
