/** Facts of a work as a mapping names them: fields of their own, read alike from every source. */
import {
  countNames,
  listNames,
  wordNames,
  type EntryFacts,
  type TagWeights,
} from '../catalogue/entry-facts.js'
import * as v from 'valibot'
import {
  compileField,
  fieldNames,
  fieldSchema,
  type Field,
  type FieldContext,
  type RawRow,
} from './field.js'
import type { ReadKind } from './read-value.js'
import { compileTags, tagsSchema } from './tags.js'

const optionalFields = <const Names extends readonly string[]>(names: Names) =>
  Object.fromEntries(names.map((name) => [name, v.optional(fieldSchema)])) as Record<
    Names[number],
    v.OptionalSchema<typeof fieldSchema, undefined>
  >

/** To be spread into the entries of `fields`. */
export const factEntries = {
  ...optionalFields(countNames),
  ...optionalFields(listNames),
  ...optionalFields(wordNames),
  adult: v.optional(fieldSchema),
  tags: v.optional(tagsSchema),
}

export type FactFields = v.InferOutput<v.ObjectSchema<typeof factEntries, undefined>>
/** The facts of a source; other titles are read separately, since works are joined by them. */
export type SourceFacts = Omit<EntryFacts, 'otherTitles'>

const kinds: readonly (readonly [Exclude<keyof FactFields, 'tags'>, ReadKind])[] = [
  ...countNames.map((name) => [name, name === 'minutes' ? 'minutes' : 'integer'] as const),
  ...listNames.map((name) => [name, 'list'] as const),
  ...wordNames.map((name) => [name, 'text'] as const),
  ['adult', 'boolean'],
]

/** Names of facts that mappings may give among the metadata too, as they did before facts were fields. */
export const movableNames: ReadonlySet<string> = new Set(kinds.map(([name]) => name))

/** Names of the facts that a mapping reads. */
export const factsOf = (
  fields: FactFields & { readonly related?: Field | undefined },
): readonly (keyof SourceFacts)[] => [
  ...kinds.flatMap(([name]) => (fields[name] === undefined ? [] : [name])),
  ...(fields.related === undefined ? [] : (['franchise'] as const)),
  ...(fields.tags === undefined ? [] : (['tags', 'spoilerTags'] as const)),
]

/** Names of the source's fields, without those that it may lack. */
export const factFieldNames = (fields: FactFields): readonly string[] =>
  [...kinds.map(([name]) => fields[name]), ...[fields.tags ?? []].flat()].flatMap((field) =>
    field === undefined ? [] : fieldNames(field),
  )

/** Returns a function that reads the facts of a row: null, [] and {} for what it does not tell. */
export function compileFacts(
  fields: FactFields,
  contextOf: (name: string) => FieldContext = () => ({}),
): (row: RawRow) => SourceFacts {
  const readers = kinds.flatMap(([name, kind]) => {
    const field = fields[name]
    return field === undefined
      ? []
      : [[name, compileFact(name, field, kind, contextOf(name))] as const]
  })
  const readTags =
    fields.tags === undefined ? undefined : compileTags(fields.tags, contextOf('tags'))
  return (row) => ({
    ...Object.fromEntries(readers.map(([name, read]) => [name, read(row)])),
    ...readTags?.(row),
  })
}

const isListName = (name: string) => listNames.some((listName) => listName === name)

/** Reads a list of one as a single value, and a single value as a list, as the field needs. */
function compileFact(
  name: string,
  field: Field,
  kind: ReadKind,
  context: FieldContext,
): (row: RawRow) => unknown {
  const read = compileField(field, kind, context)
  if (isListName(name)) {
    return (row) => [read(row) ?? []].flat().filter((value) => typeof value === 'string')
  }
  const type =
    kind === 'integer' || kind === 'minutes' ? 'number' : kind === 'boolean' ? 'boolean' : 'string'
  return (row) => {
    const [value] = [read(row)].flat()
    if (typeof value !== type) return null
    // Sources write `Shounen` and `shounen`.
    return name === 'audience' ? String(value).toLowerCase() : value
  }
}

/** The facts of a work from several rows: of each fact the first that has a value, and the tags of all. */
export function joinFacts(
  given: readonly SourceFacts[],
  names: ReadonlySet<keyof SourceFacts>,
): SourceFacts {
  const values: Record<string, unknown> = {}
  for (const name of names) {
    const ofName = given.map((facts) => facts[name])
    values[name] =
      ofName.find(hasValue) ?? ofName.find((value) => value !== undefined) ?? emptyOf(name)
  }
  return names.has('tags') ? { ...(values as SourceFacts), ...joinTags(given) } : values
}

const hasValue = (value: unknown) =>
  value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0)

const emptyOf = (name: string) => (isListName(name) ? [] : null)

/** The first row that has a tag decides on its weight, and on whether it is shown. */
function joinTags(given: readonly SourceFacts[]): Pick<SourceFacts, 'tags' | 'spoilerTags'> {
  const [first = {}] = given
  if (given.length === 1) return { tags: first.tags ?? {}, spoilerTags: first.spoilerTags ?? {} }
  const tags: Record<string, number> = {}
  const spoilerTags: Record<string, number> = {}
  const add = (into: Record<string, number>, more: TagWeights = {}) => {
    for (const [tag, weight] of Object.entries(more)) {
      if (!(tag in tags) && !(tag in spoilerTags)) into[tag] = weight
    }
  }
  for (const facts of given) {
    add(tags, facts.tags)
    add(spoilerTags, facts.spoilerTags)
  }
  return { tags, spoilerTags }
}
