/** What /openapi.json says of a route in addition to its method and path; each is written next to its handler. */
import type * as v from 'valibot'
import type { Scope } from '../../../base/keys/scopes.js'
import type { Example } from './example.js'
import type { HeaderName } from './headers.js'
import type { ParameterSchemas } from './json-schema.js'
import type { ProblemName } from './problems.js'
import type { ErrorShape } from '../v1/error-shapes.js'
import type { TagName } from './tags.js'

export interface Operation {
  /** The name by which generated clients call it. */
  readonly id: string
  readonly tag: TagName
  readonly summary: string
  /** Markdown. */
  readonly description: string
  /** Parameters in the path. */
  readonly path?: ParameterSchemas
  /** The schema that reads the query. */
  readonly query?: { readonly entries: ParameterSchemas }
  readonly body?: {
    /** The schema that reads the body. */
    readonly schema: v.GenericSchema
    /** By name; the first is what "Try it out" offers. */
    readonly examples: Readonly<Record<string, Example>>
  }
  /** Responses by status that are no problems. */
  readonly responses: Readonly<Record<number, OperationResponse>>
  /** Of the key that it needs. */
  readonly scope?: Scope
  /** Problems in addition to those that any request can meet. */
  readonly problems?: readonly ProblemName[]
  /** The bodies of its errors, where they are not problems. */
  readonly errors?: ErrorShape
}

export type { Example } from './example.js'

export interface OperationResponse {
  readonly description: string
  /** Headers in addition to those of every response. */
  readonly headers?: readonly HeaderName[]
  /** `application/json` unless said; a response without a schema is text of that type. */
  readonly type?: string
  readonly schema?: v.GenericSchema
}
