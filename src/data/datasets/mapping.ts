/** Mapping files: a JSON file for each source that assigns its fields to the parts of an entry. */
import { readFile } from 'node:fs/promises'
import * as v from 'valibot'
import { datasetPattern, expectedName, isWorkDataset } from '../catalogue/catalogue.js'
import { textIdMember } from '../catalogue/text-ids.js'
import { DataImportError } from '../../base/errors/index.js'
import { factEntries, movableNames } from './facts.js'
import { fieldSchema, type Field } from './field.js'
import { requireRegular } from './regular-file.js'
import { tableFormats } from './tables/table-format.js'
import { popularitySchema } from './popularity.js'
import { anyNameRecord } from '../../base/util/any-name-record.js'
import { schemaProblems } from '../../base/util/schema-problems.js'
import { systemReason } from '../../base/util/system-reason.js'

/** Other members of a search result; metadata of the same name would hide them. */
const takenNames: ReadonlySet<string> = new Set([
  'id',
  'title',
  'type',
  'genres',
  'year',
  'rank',
  'similarity',
  'explain',
  'listStatus',
  'score',
  'column',
  'synopsis',
  'alternativeTitles',
  'tags',
])

const metadataName = v.pipe(
  v.string(),
  v.regex(/^[A-Za-z][A-Za-z0-9_]{0,63}$/, 'expected a name of letters, digits and _'),
  v.check((name) => !takenNames.has(name), 'expected a name that search results do not use'),
)

/** The name of a column is also the name of a file of embeddings. */
const columnName = v.pipe(
  v.string(),
  v.regex(
    /^[\p{L}\p{N}_][\p{L}\p{N}_ .-]{0,99}$/u,
    'expected a column name of at most 100 letters, digits, spaces, ., - and _',
  ),
)

export const mappingSchema = v.strictObject({
  /** For editors: data/mapping.schema.json. */
  $schema: v.optional(v.string()),
  dataset: v.pipe(v.string(), v.regex(datasetPattern, `expected ${expectedName}`)),
  /** For people: what the source is, and where its ids come from. */
  description: v.optional(v.string()),
  /** Relative to `--from`, or to the mapping file. */
  file: v.pipe(v.string(), v.nonEmpty()),
  format: v.picklist(tableFormats),
  /** The sheet of a spreadsheet, the table of a database, or the path of the lists in a JSON document. */
  table: v.optional(v.pipe(v.string(), v.nonEmpty())),
  encoding: v.optional(v.pipe(v.string(), v.check(isEncoding, 'expected an encoding')), 'utf-8'),
  /**
   * Absent: the base. `id` or `title`: joined onto the base; rows without a partner are kept, and
   * those of `id` that have none are joined by title.
   */
  join: v.optional(v.picklist(['id', 'title'])),
  fields: v.strictObject({
    id: v.optional(fieldSchema),
    title: fieldSchema,
    /** Other titles, for matching and full-text search. */
    titles: v.optional(v.array(fieldSchema), []),
    type: v.optional(fieldSchema),
    genres: v.optional(fieldSchema),
    year: v.optional(fieldSchema),
    /** Average rating by the users of the site, scaled to 0 to 10. */
    score: v.optional(fieldSchema),
    popularity: v.optional(popularitySchema),
    /** Ids of the source's works of the same franchise, from which franchises are made. */
    related: v.optional(fieldSchema),
    /** The former name of `relation`, for one minor version. */
    place: v.optional(fieldSchema),
    ...factEntries,
  }),
  metadata: v.optional(anyNameRecord(metadataName, fieldSchema), {}),
  /** None for a list of titles, whose texts come from the included works. */
  texts: anyNameRecord(columnName, fieldSchema),
})

export type Mapping = v.InferOutput<typeof mappingSchema>

/** Reads and checks a mapping file. Reports all problems at once. */
export async function readMapping(path: string): Promise<Mapping> {
  const text = await readRegular(path).catch((cause: unknown) => {
    if (cause instanceof DataImportError) throw cause
    const what = /\.json$/i.test(path) ? 'the mapping ' : ''
    throw new DataImportError(path, `${what}cannot be read: ${systemReason(cause)}`, { cause })
  })
  const result = v.safeParse(mappingSchema, parseJson(path, text))
  if (!result.success) {
    const problems = schemaProblems(result.issues, '(mapping)')
    const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`
    throw new DataImportError(
      path,
      `the mapping has ${count}: ${problems.join('; ')}. docs/mapping.md shows every member, data/mapping.schema.json checks them in an editor`,
    )
  }
  checkFilterables(path, result.output)
  checkId(path, result.output)
  const mapping = withTextIds(withFactsAsFields(result.output))
  checkJoin(path, mapping)
  return mapping
}

/** Sites know anime and manga by integers, and everything that joins them does. */
function checkId(path: string, { dataset, fields: { id } }: Mapping): void {
  const kind = id === undefined ? undefined : kindOfId(id)
  if (kind === undefined || kind === 'integer') return
  if (kind !== 'text')
    throw new DataImportError(path, `fields.id: expected "as": "text" or "integer"`)
  if (isWorkDataset(dataset))
    throw new DataImportError(
      path,
      `fields.id: ids of ${dataset} are integers; texts are for datasets of your own`,
    )
}

const kindOfId = (id: Field): string | undefined =>
  typeof id === 'object' && 'from' in id ? id.as : undefined

/** A text is kept as it is, next to the integer that is made of it. */
export function withTextIds(mapping: Mapping): Mapping {
  const { id } = mapping.fields
  if (id === undefined || kindOfId(id) !== 'text') return mapping
  return { ...mapping, metadata: { ...mapping.metadata, [textIdMember]: id } }
}

/** Facts that a mapping lists among the metadata are facts all the same. */
function withFactsAsFields(mapping: Mapping): Mapping {
  const pairs = Object.entries(mapping.metadata)
  const isFact = (name: string) => movableNames.has(name) || name === 'place'
  const moved = Object.fromEntries(pairs.filter(([name]) => isFact(name)))
  const metadata = Object.fromEntries(pairs.filter(([name]) => !isFact(name)))
  const { place: relation, ...fields } = { ...moved, ...mapping.fields }
  return { ...mapping, fields: { ...(relation && { relation }), ...fields }, metadata }
}

async function readRegular(path: string): Promise<string> {
  requireRegular(path)
  return readFile(path, 'utf8')
}

function checkFilterables(path: string, { fields, texts, metadata }: Mapping): void {
  const isDeclared = (field: unknown) =>
    typeof field === 'object' && field !== null && 'filterable' in field
  const others = { ...fields, ...texts }
  for (const [name, field] of Object.entries<unknown>(others)) {
    if ([field].flat().some(isDeclared))
      throw new DataImportError(path, `${name}: filterable is for metadata alone`)
  }
  for (const [name, field] of Object.entries(metadata)) {
    if (!isDeclared(field)) continue
    if (movableNames.has(name))
      throw new DataImportError(path, `metadata.${name} is a fact; expected no filterable`)
    if (typeof field !== 'object' || !('from' in field) || field.as === undefined)
      throw new DataImportError(
        path,
        `metadata.${name}: filterable needs "as", the type of its values`,
      )
  }
}

function checkJoin(path: string, { join, fields }: Mapping): void {
  if (join === 'id' && fields.id === undefined) {
    throw new DataImportError(path, 'join "id" needs fields.id')
  }
  if (join === 'title' && fields.id !== undefined) {
    throw new DataImportError(
      path,
      'join "title" makes its own ids; expected no fields.id (keep that field as metadata)',
    )
  }
}

function parseJson(path: string, text: string): object {
  let value: unknown
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ''))
  } catch (cause) {
    // What the parser quotes may be of a file that is not a mapping.
    const reason = String(cause)
      .replace(/^SyntaxError: /, '')
      .replace(/, (\.\.\.)?".*$/s, '')
    throw new DataImportError(path, `the mapping is not JSON: ${reason}`, { cause })
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  const found = Array.isArray(value) ? 'a list' : value === null ? 'null' : `a ${typeof value}`
  throw new DataImportError(path, `expected the mapping to be a JSON object, found ${found}`)
}

function isEncoding(label: string): boolean {
  try {
    return new TextDecoder(label, { fatal: true }).fatal
  } catch {
    return false
  }
}
