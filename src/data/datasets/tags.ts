/**
 * Tags of a source, as keys of the vocabulary. A source lists names, or names with ranks and spoiler marks
 * (as AniList does), or weighs keys. A name that the vocabulary does not know is left out.
 */
import * as v from 'valibot'
import { usualWeight, type TagWeights } from '../catalogue/entry-facts.js'
import { tagVocabulary } from '../catalogue/tag-vocabulary.js'
import {
  compileField,
  fieldSchema,
  namesIn,
  type Field,
  type FieldContext,
  type RawRow,
} from './field.js'
import { remember } from '../../base/text/remember.js'
import { parseList } from './text-list.js'

/** One field, or several that are read one after the other. */
export const tagsSchema: v.GenericSchema<Field | Field[]> = v.lazy((input) =>
  Array.isArray(input) ? v.array(fieldSchema) : fieldSchema,
)

export interface Tags {
  readonly tags: TagWeights
  readonly spoilerTags: TagWeights
}

export function compileTags(
  fields: Field | readonly Field[],
  context: FieldContext = {},
): (row: RawRow) => Tags {
  const readers = [fields].flat().map((field) => {
    const read = compileField(field, 'unchanged', context)
    // The first field that a list is read from decides how it is separated.
    const [name] = namesIn(field)
    const separator = name === undefined ? undefined : context.separatorOf?.(name)
    return (row: RawRow) => tagsIn(read(row), separator)
  })
  return (row) => {
    const tags: Record<string, number> = {}
    const spoilerTags: Record<string, number> = {}
    for (const { name, weight, isSpoiler } of readers.flatMap((read) => read(row))) {
      const key = keyOf(name)
      if (key === undefined || key in tags || key in spoilerTags) continue
      if (isSpoiler) spoilerTags[key] = weight
      else tags[key] = weight
    }
    return { tags, spoilerTags }
  }
}

interface NamedTag {
  readonly name: string
  readonly weight: number
  readonly isSpoiler: boolean
}

/** A member of a list that its source ranks; a rank is 0 to 100. */
const rankedTag = v.object({
  name: v.string(),
  rank: v.optional(v.nullable(v.number())),
  isMediaSpoiler: v.optional(v.nullable(v.boolean())),
})
/** Files have few names, and each of them often. */
const keyOf = remember(20_000, (name: string) => tagVocabulary().keyOf(name))

function tagsIn(value: unknown, separator?: string): readonly NamedTag[] {
  if (Array.isArray(value)) return value.flatMap(memberOf)
  if (typeof value === 'string') return parseList(value, separator).flatMap(memberOf)
  if (typeof value !== 'object' || value === null) return []
  const tags = Object.entries(value as Record<string, unknown>).map(([name, weight]) => ({
    name,
    weight,
    isSpoiler: false,
  }))
  return tags.every(isWeighed) ? tags : []
}

/** Whether it has one of the weights of tags by their keys. */
const isWeighed = (tag: { readonly name: string; readonly weight: unknown }): tag is NamedTag =>
  tag.weight === 1 || tag.weight === 2 || tag.weight === 3

function memberOf(member: unknown): readonly NamedTag[] {
  if (typeof member === 'string') return [{ name: member, weight: usualWeight, isSpoiler: false }]
  const ranked = v.safeParse(rankedTag, member)
  if (!ranked.success) return []
  const { name, rank, isMediaSpoiler } = ranked.output
  return [{ name, weight: weightOf(rank), isSpoiler: isMediaSpoiler === true }]
}

/** What users of a site call the work's subject is its subject; what few of them see is a touch. */
function weightOf(rank: number | null | undefined): number {
  if (rank === null || rank === undefined) return usualWeight
  if (rank >= 80) return 3
  return rank >= 50 ? 2 : 1
}
