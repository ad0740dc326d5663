/** Files of queries: one JSON object a line. */
import { readFile } from 'node:fs/promises'
import * as v from 'valibot'
import { systemReason } from '../../base/util/system-reason.js'
import { DescriptionsError } from '../../base/errors/index.js'

export interface NumberedLine<T> {
  /** From 1. */
  readonly number: number
  readonly line: T
}

/** Rejects with a DescriptionsError for a file that cannot be read, and for the first line that cannot. */
export async function readLines<S extends v.GenericSchema>(
  file: string,
  schema: S,
): Promise<readonly NumberedLine<v.InferOutput<S>>[]> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new DescriptionsError(file, undefined, `cannot be read: ${systemReason(cause)}`, {
      cause,
    })
  })
  return text
    .replace(/^\ufeff/, '')
    .split('\n')
    .flatMap((source, index) =>
      source.trim() === ''
        ? []
        : [{ number: index + 1, line: parse(file, index + 1, source, schema) }],
    )
}

function parse<S extends v.GenericSchema>(
  file: string,
  number: number,
  source: string,
  schema: S,
): v.InferOutput<S> {
  let value: unknown
  try {
    value = JSON.parse(source)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new DescriptionsError(file, number, `expected a JSON object: ${reason}`, { cause })
  }
  const result = v.safeParse(schema, value)
  if (result.success) return result.output
  const problems = result.issues.map((issue) => {
    const path = v.getDotPath(issue)
    return path === null ? issue.message : `${path}: ${issue.message}`
  })
  throw new DescriptionsError(file, number, problems.join('; '))
}
