/** What a schema found wrong, as the problems of a request. */
import * as v from 'valibot'
import type { Problem } from '../../base/errors/index.js'

/** Paths are those of the request: `genres.any.0`. */
export const bodyProblemsOf = (issues: readonly v.BaseIssue<unknown>[]): Problem[] =>
  issues.map((issue) => ({ path: pathOf(issue).join('.'), message: issue.message }))

/** A parameter is named as it is sent, also where it is sent several times. */
export const queryProblemsOf = (issues: readonly v.BaseIssue<unknown>[]): Problem[] =>
  issues.map((issue) => ({ path: pathOf(issue)[0] ?? '', message: issue.message }))

function pathOf({ type, path }: v.BaseIssue<unknown>): string[] {
  if (path === undefined) return []
  // A list is taken for an object, whose first member is too many: the list is what is wrong.
  const isInList = type === 'strict_object' && Array.isArray(path.at(-1)?.input)
  return path.slice(0, isInList ? -1 : undefined).map(({ key }) => String(key))
}
