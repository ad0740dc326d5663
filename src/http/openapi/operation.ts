/** What /openapi.json says of a route beside its method and path; it stands beside the handler. */
import type * as v from 'valibot'
import type { HeaderName } from './headers.js'
import type { ProblemName } from './problems.js'
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
  /** Answers by status that are no problems. */
  readonly answers: Readonly<Record<number, Answer>>
  /** Problems beside those that any request can meet. */
  readonly problems?: readonly ProblemName[]
}

export interface Example {
  readonly summary: string
  readonly value: unknown
}

export interface Answer {
  readonly description: string
  /** Headers beside those of every answer. */
  readonly headers?: readonly HeaderName[]
  /** `application/json` unless said; an answer without a schema is text of that type. */
  readonly type?: string
  readonly schema?: v.GenericSchema
}

export type ParameterSchemas = Readonly<Record<string, v.GenericSchema>>
