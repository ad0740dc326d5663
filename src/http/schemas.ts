/**
 * One schema a message: it validates, types and documents. Messages say what was expected and what
 * kind of thing was received, never the text of a description.
 */
import * as v from 'valibot'
import { deepestRank } from '../search/pagination.js'
import { suggestion } from '../suggest.js'

/** Characters are Unicode code points, so an emoji counts once. */
export const longestText = 2000
export const mostResults = 100

export type SearchModelRequest = v.InferOutput<ReturnType<typeof searchModelRequest>>

/** @param models names of the allowed models */
export function searchModelRequest(models: readonly string[]) {
  return v.pipe(
    v.object(
      { model: modelName(models), description: freeText, page, resultsPerPage },
      notAnObject,
    ),
    v.forward(
      v.check(
        (request) => request.page * request.resultsPerPage <= deepestRank,
        `expected page * resultsPerPage to be at most ${deepestRank}`,
      ),
      ['page'],
    ),
    v.title('SearchModelRequest'),
    v.description('A description, and the model by which to compare it.'),
  )
}

const modelName = (models: readonly string[]) =>
  v.pipe(
    v.picklist(models, ({ input }) => {
      const received = typeof input === 'string' ? input.slice(0, 100) : kindOf(input)
      const nearest = typeof input === 'string' ? suggestion(received, models) : ''
      return `expected one of ${models.join(', ')}; received ${received}${nearest}`
    }),
    v.description('Name of the model, exactly as GET /models lists it.'),
  )

const freeText = v.pipe(
  v.string(({ input }) => `expected text, received ${kindOf(input)}`),
  v.trim(),
  v.nonEmpty(`expected 1 to ${longestText} characters, received none`),
  v.maxCodePoints(
    longestText,
    ({ input }) => `expected 1 to ${longestText} characters, received ${Array.from(input).length}`,
  ),
  v.description(`What the work is about, 1 to ${longestText} characters after trimming.`),
)

const page = v.optional(v.pipe(integer(1, deepestRank), v.description('Page, from 1.')), 1)
const resultsPerPage = v.optional(
  v.pipe(integer(1, mostResults), v.description('Results on a page.')),
  10,
)

function integer(minimum: number, maximum: number) {
  const message = ({ input }: v.BaseIssue<unknown>) =>
    `expected an integer from ${minimum} to ${maximum}, received ${kindOf(input)}`
  return v.pipe(
    v.number(message),
    v.integer(message),
    v.minValue(minimum, message),
    v.maxValue(maximum, message),
  )
}

/** The message of an object schema is also that of a missing member. */
const notAnObject = (issue: v.BaseIssue<unknown>) =>
  issue.path === undefined ? `expected a JSON object, received ${kindOf(issue.input)}` : 'required'

function kindOf(value: unknown): string {
  if (value === null || typeof value === 'number' || typeof value === 'boolean')
    return String(value)
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
