/** The query of a request, checked against its schema. */
import * as v from 'valibot'
import { ValidationError } from '../../base/errors/index.js'
import type { AppContext } from './env.js'
import { queryProblemsOf } from '../problems/problem-paths.js'
import { readJson } from './read-json.js'
import { closedObject } from '../schemas/parts.js'

type ObjectSchema = v.GenericSchema<Readonly<Record<string, unknown>>>

/** Reads query and body, and reports the problems of both at once. */
export async function readQueryAndJson<Query extends ObjectSchema, Body extends v.GenericSchema>(
  c: AppContext,
  querySchema: Query,
  bodySchema: Body,
  limitBytes: number,
): Promise<{ query: v.InferOutput<Query>; body: v.InferOutput<Body> }> {
  const [query, body] = await Promise.allSettled([
    readQuery(c, querySchema),
    readJson(c, bodySchema, limitBytes),
  ])
  if (query.status === 'fulfilled' && body.status === 'fulfilled') {
    return { query: query.value, body: body.value }
  }
  const reasons = [query, body].flatMap((read) =>
    read.status === 'rejected' ? [read.reason as unknown] : [],
  )
  const problems = reasons.map((reason) => {
    if (reason instanceof ValidationError) return reason.problems
    throw reason
  })
  throw new ValidationError(problems.flat())
}

/** A parameter that the schema does not list is a problem, as such a member of a body is. */
// eslint-disable-next-line @typescript-eslint/require-await -- rejects where it would throw
export async function readQuery<Query extends ObjectSchema>(
  c: AppContext,
  schema: Query,
): Promise<v.InferOutput<Query>> {
  const parameters = Object.entries(c.req.queries()).map(([name, values]) => [
    name,
    // A parameter given twice is an array, which no schema accepts.
    values.length === 1 ? values[0] : values,
  ])
  const checked = v.safeParse(schema, Object.fromEntries(parameters), { abortPipeEarly: true })
  if (checked.success) return checked.output
  throw new ValidationError(queryProblemsOf(checked.issues))
}

const noParameters = closedObject({})

/** For routes without parameters. @throws ValidationError for any */
export const requireNoQuery = (c: AppContext): Promise<unknown> => readQuery(c, noParameters)
