/** What is wrong with a file that people write, member by member. */
import * as v from 'valibot'

/** @param whole what stands for the path where the file as a whole is wrong */
export function schemaProblems(issues: readonly v.BaseIssue<unknown>[], whole: string): string[] {
  return issues.map((issue) => `${v.getDotPath(issue) ?? whole}: ${messageOf(issue)}`)
}

/** Messages of the library's own, in the words of ours. */
function messageOf({ type, path, expected, received, message }: v.BaseIssue<unknown>): string {
  if (type === 'strict_object' && path !== undefined) {
    return expected === 'never' ? 'no such member' : 'required'
  }
  if (expected === null || !message.startsWith('Invalid ')) return message
  return `expected ${expected.replace(/^\((.*)\)$/, '$1')}, received ${received}`
}
