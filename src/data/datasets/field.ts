/** How a mapping describes the source of a value and how to read it. */
import * as v from 'valibot'
import { anyNameRecord } from '../../base/util/any-name-record.js'
import { fieldKinds, readValue, type ReadKind } from './read-value.js'
import type { RawRow } from './raw-row.js'
import type { SeparatorOf } from './separators.js'
import type { Watch } from './value-report.js'

export type { RawRow } from './raw-row.js'

export const sourceSchema = v.strictObject({
  from: v.pipe(
    v.union(
      [v.string(), v.pipe(v.array(v.string()), v.minLength(1))],
      'expected a field name or a list of them',
    ),
    v.description('A field of the source, or several: the first with a value counts.'),
  ),
  optional: v.optional(
    v.pipe(v.boolean(), v.description('Whether a file may lack the field in all of its rows.')),
  ),
  as: v.optional(
    v.pipe(
      v.picklist(fieldKinds),
      v.description('How to read the value; by default as its place in the mapping needs.'),
    ),
  ),
  filterable: v.optional(
    v.pipe(
      v.boolean(),
      v.description('Of metadata: whether requests may filter and sort by it; needs `as`.'),
    ),
  ),
  match: v.optional(
    v.pipe(
      v.string(),
      v.check(isRegExp, 'expected a regular expression'),
      v.description(
        'A regular expression. Its first group is the value, or the whole match if it has none.',
      ),
    ),
  ),
  separator: v.optional(
    v.pipe(
      v.nullable(v.pipe(v.string(), v.nonEmpty())),
      v.description(
        'Separates the members of a list without brackets; null keeps them together. Found by default.',
      ),
    ),
  ),
  order: v.optional(
    v.pipe(
      v.picklist(['ymd', 'dmy', 'mdy']),
      v.description('Order of the parts of a date such as 4/10/2005.'),
    ),
  ),
  outOf: v.optional(
    v.pipe(
      v.number(),
      v.gtValue(0, 'expected a number above 0'),
      v.description('The best score that the source gives, where that is not 10.'),
    ),
  ),
  values: v.optional(
    v.pipe(
      anyNameRecord(v.string(), v.nullable(v.string())),
      v.description('Replaces values after reading; null drops a value.'),
    ),
  ),
})

export const constantSchema = v.strictObject({
  value: v.pipe(
    v.union([v.string(), v.number(), v.boolean()], 'expected a text, a number or a boolean'),
    v.description('The value of every row.'),
  ),
})

type SourceField = v.InferOutput<typeof sourceSchema>

export type Field = string | SourceField | v.InferOutput<typeof constantSchema>

/** Chosen by the type of the input, so that a problem names the member. */
export const fieldSchema: v.GenericSchema<Field> = v.lazy((input) => {
  if (typeof input === 'object' && input !== null) {
    return 'value' in input ? constantSchema : sourceSchema
  }
  return v.string('expected a field name or {"from": …}')
})

/** Names of the source's fields that a file has to have. */
export function fieldNames(field: Field): readonly string[] {
  if (typeof field === 'string') return [field]
  if ('value' in field || field.optional === true) return []
  return namesIn(field)
}

/** Names of the source's fields that are read, whether or not a file has them. */
export function namesIn(field: Field): readonly string[] {
  if (typeof field === 'string') return [field]
  if ('value' in field) return []
  return typeof field.from === 'string' ? [field.from] : field.from
}

/** What is known of a source when its fields are compiled. */
export interface FieldContext {
  /** Returns a function that receives each value; the field has the name that the mapping gives it. */
  readonly watch?: (kind: ReadKind) => Watch | undefined
  readonly separatorOf?: SeparatorOf
}

/**
 * Returns a function that reads the field of a row: null without a value, [] for lists.
 * @param kind how to read the value if the mapping does not say
 */
export function compileField(
  field: Field,
  kind: ReadKind = 'unchanged',
  { watch, separatorOf }: FieldContext = {},
): (row: RawRow) => unknown {
  if (typeof field === 'object' && 'value' in field) return () => field.value
  const source: SourceField = typeof field === 'string' ? { from: field } : field
  const readKind = source.as ?? kind
  const watching = watch?.(readKind)
  const readers = namesIn(source).map((name) => {
    const separator = readKind === 'list' ? separatorOf?.(name) : undefined
    return [name, compileRead({ separator, ...source }, readKind, watching)] as const
  })
  return (row) => {
    let value: unknown = null
    for (const [name, read] of readers) {
      value = read(row(name))
      if (value !== null && !(Array.isArray(value) && value.length === 0)) break
    }
    return value
  }
}

function compileRead(
  source: SourceField,
  kind: ReadKind,
  watch: Watch | undefined,
): (raw: unknown) => unknown {
  const { match, values } = source
  const pattern = match === undefined ? undefined : new RegExp(match, 'su')
  // Names of types are read as the values are, `Film` as `film`.
  const replacements =
    values &&
    new Map(
      Object.entries(values).map(([name, value]): [unknown, string | null] => [
        kind === 'type' ? readValue(kind, name, source) : name,
        value,
      ]),
    )
  const replace = (value: unknown) => {
    if (replacements === undefined || typeof value !== 'string') return value
    const replacement = replacements.get(value)
    return replacement === undefined ? value : replacement
  }
  return (raw) => {
    let value = raw
    if (pattern !== undefined) {
      const found = typeof raw === 'string' ? pattern.exec(raw) : null
      value = found === null ? null : (found[1] ?? found[0])
    }
    const read = readValue(kind, value, source)
    watch?.(value, read)
    if (kind !== 'list' || !Array.isArray(read)) return replace(read)
    const members: readonly unknown[] = read
    return members.map(replace).filter((member) => member !== null)
  }
}

function isRegExp(text: string): boolean {
  try {
    return new RegExp(text, 'su') instanceof RegExp
  } catch {
    return false
  }
}
