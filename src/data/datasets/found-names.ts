/** The names of a file's fields, as errors show them. */
import { fieldNames } from './field-names.js'
import { keyOf } from './name-key.js'
import { listNames } from './raw-rows.js'

/** Nothing of a file that is not a data set is shown: it may hold secrets. */
export function foundNames(header: readonly string[]): string {
  if (!header.some((name) => knownNames.has(keyOf(name.split('.').at(-1) ?? ''))))
    return `${header.length} without a usual name`
  return listNames(header.slice(0, 40).map((name) => name.slice(0, 60)))
}

const namesIn = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : Object.values(value as object).flatMap(namesIn)

const knownNames: ReadonlySet<string> = new Set(namesIn(fieldNames).map(keyOf))
