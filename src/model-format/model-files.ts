/** Reading the JSON files of a model's folder; problems name the file without its folder. */
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import * as v from 'valibot'

/** A fault in a model's files. Callers that know the model's name turn it into a ModelLoadError. */
export class ModelFileError extends Error {
  override readonly name = 'ModelFileError'
}

export async function readJson<T>(file: string, schema: v.GenericSchema<unknown, T>): Promise<T> {
  const value = await readJsonIfThere(file, schema)
  if (value === undefined) throw new ModelFileError(`${basename(file)} is missing`)
  return value
}

export async function readJsonIfThere<T>(
  file: string,
  schema: v.GenericSchema<unknown, T>,
): Promise<T | undefined> {
  const name = basename(file)
  let value: unknown
  try {
    value = JSON.parse(await readFile(file, 'utf8'))
  } catch (error) {
    if (isMissing(error)) return undefined
    const reason = error instanceof Error ? error.message : String(error)
    throw new ModelFileError(`${name} cannot be read: ${reason.replace(file, name)}`)
  }
  const result = v.safeParse(schema, value)
  if (result.success) return result.output
  const [issue] = result.issues
  throw new ModelFileError(`${name}: ${v.getDotPath(issue) ?? 'top level'}: ${issue.message}`)
}

export function isMissing(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === 'ENOENT' || code === 'ENOTDIR'
}
