/** Rows of a JSON lines file: one object a line. */
import { DataImportError } from '../../base/errors/index.js'
import { remember } from '../../base/text/remember.js'
import { listNames, maximumRowCharacters, type NumberedRow } from './raw-rows.js'

/**
 * @param names fields that at least one row must have
 * @throws DataImportError when none has, or a line is too long to be one
 */
export async function* readJsonlRows(
  path: string,
  text: AsyncIterable<string>,
  names: readonly string[],
): AsyncGenerator<NumberedRow> {
  const unseen = new Set(names)
  let objects = 0
  for await (const { line, source } of splitLines(path, text)) {
    const object = parseObject(source)
    if (object === undefined) {
      yield { line, problem: 'broken JSON' }
      continue
    }
    objects += 1
    for (const name of unseen) if (valueAt(object, name) !== undefined) unseen.delete(name)
    yield { line, row: (name) => valueAt(object, name) }
  }
  // A row may lack a key, but a key that no row has is a mistake in the mapping.
  if (objects > 0 && unseen.size > 0) {
    const problem = `no row has ${listNames([...unseen])}, which the mapping names`
    throw new DataImportError(path, problem)
  }
}

/** A member by its name, or one inside of others by their names with dots: `titles.english`, `descriptions.0`. */
export function valueAt(object: Readonly<Record<string, unknown>>, name: string): unknown {
  if (Object.hasOwn(object, name)) return object[name]
  let value: unknown = object
  for (const part of partsOf(name)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined
    // The length of a list is not a member of it.
    if (Array.isArray(value) && !/^\d+$/.test(part)) return undefined
    value = (value as Record<string, unknown>)[part]
  }
  return value
}

const partsOf = remember(1000, (name) => name.split('.'))

/**
 * Lines without their ends, with their numbers from 1; blank ones are skipped where they come, for there may be millions.
 * @throws DataImportError on a line that is too long to be a row
 */
export async function* splitLines(
  path: string,
  text: AsyncIterable<string>,
): AsyncGenerator<{ readonly line: number; readonly source: string }> {
  let rest = ''
  let line = 0
  for await (const piece of text) {
    const lines = (rest + piece).split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > maximumRowCharacters) {
      throw new DataImportError(
        path,
        `expected JSON lines, found a line over ${maximumRowCharacters} characters`,
      )
    }
    for (const source of lines) {
      line += 1
      if (source.trim() !== '') yield { line, source }
    }
  }
  if (rest.trim() !== '') yield { line: line + 1, source: rest }
}

export function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
