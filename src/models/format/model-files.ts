/** Reading the files of a model's folder; problems name the file without its folder. */
import { readFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import * as v from 'valibot'

/** A fault in a model's files. Callers that know the model's name turn it into a ModelLoadError. */
export class ModelFileError extends Error {
  override readonly name = 'ModelFileError'
}

/** What is read whole, and its most MiB. Real tokenizers have up to 33 MiB, dense modules up to 64. */
export const maxMebibytes = { settings: 16, tokenizer: 64, weights: 256 } as const
const mebibyte = 2 ** 20

/** Throws a ModelFileError, before it reads anything, where the file is larger or no regular file. */
export async function readWhole(file: string, limitMiB: number): Promise<Buffer> {
  const found = await stat(file)
  const name = basename(file)
  if (!found.isFile()) throw new ModelFileError(`${name} is not a regular file`)
  if (found.size <= limitMiB * mebibyte) return readFile(file)
  const size = Math.ceil(found.size / mebibyte)
  throw new ModelFileError(`${name} has ${size} MiB, expected at most ${limitMiB} MiB`)
}

export async function readJson<T>(
  file: string,
  schema: v.GenericSchema<unknown, T>,
  limitMiB: number = maxMebibytes.settings,
): Promise<T> {
  const value = await readJsonIfThere(file, schema, limitMiB)
  if (value === undefined) throw new ModelFileError(`${basename(file)} is missing`)
  return value
}

export async function readJsonIfThere<T>(
  file: string,
  schema: v.GenericSchema<unknown, T>,
  limitMiB: number = maxMebibytes.settings,
): Promise<T | undefined> {
  const name = basename(file)
  let value: unknown
  try {
    value = JSON.parse((await readWhole(file, limitMiB)).toString('utf8'))
  } catch (error) {
    if (error instanceof ModelFileError) throw error
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
