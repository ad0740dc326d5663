/** Members of other servers' requests that may have one value here: any other would give another answer. */
import * as v from 'valibot'
import { UnsupportedValueError } from '../../../base/errors/index.js'
import { kindOf } from '../../schemas/parts.js'

export const oneValue = (value: string | null, description: string) =>
  v.optional(v.pipe(v.unknown(), v.metadata({ enum: [...new Set([value, null])], description })))

/** @throws UnsupportedValueError for a value that is neither absent nor the one */
export function requireOnly(
  request: Readonly<Record<string, unknown>>,
  values: Readonly<Record<string, string | null>>,
): void {
  const problems = Object.entries(values).flatMap(([path, only]) => {
    const received = request[path] ?? null
    if (received === null || received === only) return []
    return [{ path, message: `expected ${only ?? 'null'}, received ${shownValue(received)}` }]
  })
  if (problems.length > 0) throw new UnsupportedValueError(problems)
}

/** A received value in a message: the beginning of a string, of anything else its type. */
export const shownValue = (value: unknown): string =>
  typeof value === 'string' ? JSON.stringify(value.slice(0, 40)) : kindOf(value)
