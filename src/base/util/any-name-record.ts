/** A schema of objects whose members may have any name; valibot's drops `constructor` and a few more. */
import * as v from 'valibot'
import { messageOf } from './schema-problems.js'

export function anyNameRecord<T>(
  name: v.GenericSchema<string>,
  value: v.GenericSchema<T>,
): v.GenericSchema<Readonly<Record<string, T>>> {
  return v.pipe(
    v.custom<Readonly<Record<string, T>>>(isObject, 'expected an object'),
    v.rawTransform(({ dataset: { value: input }, addIssue, NEVER }) => {
      const members: [string, T][] = []
      let isValid = true
      for (const [key, member] of Object.entries(input)) {
        const at = { type: 'object', origin: 'value', input, key, value: member } as const
        const results = [v.safeParse(name, key), v.safeParse(value, member)] as const
        for (const { issues = [] } of results) {
          for (const issue of issues) {
            const inner = (issue.path ?? []) as [v.IssuePathItem, ...v.IssuePathItem[]]
            addIssue({ message: messageOf(issue), path: [at, ...inner] })
            isValid = false
          }
        }
        if (results[1].success) members.push([key, results[1].output])
      }
      return isValid ? Object.fromEntries(members) : NEVER
    }),
  )
}

const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
