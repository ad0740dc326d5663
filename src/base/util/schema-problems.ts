/** The problems of a file that people write, one for each wrong member. */
import * as v from 'valibot'

/** @param whole replaces the path if the whole file is wrong */
export function schemaProblems(issues: readonly v.BaseIssue<unknown>[], whole: string): string[] {
  return issues.map((issue) => `${v.getDotPath(issue) ?? whole}: ${messageOf(issue)}`)
}

/** Rewrites valibot's own messages in our words. */
export function messageOf({
  type,
  path,
  expected,
  received,
  message,
}: v.BaseIssue<unknown>): string {
  if (type === 'strict_object' && path !== undefined) {
    return expected === 'never' ? 'unknown member' : 'required'
  }
  if (expected === null || !message.startsWith('Invalid ')) return message
  return `expected ${expected.replace(/^\((.*)\)$/, '$1')}, received ${received}`
}
