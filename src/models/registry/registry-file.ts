/** The form of models/catalogue.json, and of the user's custom.json. */
import * as v from 'valibot'
import { poolingModes } from '../format/pooling.js'

export interface ModelEntry {
  /** What requests and commands name it by, e.g. `encoders/all-MiniLM-L6-v2`. */
  readonly name: string
  readonly summary: string
  /** Where its publisher keeps it on the Hugging Face hub; own models have none. */
  readonly repository?: string | undefined
  /** Commit, tag or branch of the repository that is fetched; `main` where absent. */
  readonly revision?: string | undefined
  readonly dimension?: number | undefined
  /** Longest input in tokens. */
  readonly maxTokens?: number | undefined
  readonly pooling?: string | undefined
  readonly parameters?: number | undefined
  /** Lengths to which its vectors may be cut, because it was trained for them (Matryoshka). */
  readonly matryoshkaDimensions?: readonly number[] | undefined
  /** Whether it reads texts in batches even if a vector then depends on the other texts. */
  readonly batches?: boolean | undefined
  /** What it expects before queries and before the texts that they should find. */
  readonly prompts?: TextPrompts | undefined
}

export interface TextPrompts {
  readonly query: string
  readonly passage: string
}

/** A model that scores pairs; it has no dimension and no pooling. */
export interface CrossEncoderEntry extends ModelEntry {
  /** Other names that requests may use: the label alone, and the spellings of the hub. */
  readonly aliases?: readonly string[] | undefined
}

export interface CatalogueEntries {
  readonly models: readonly ModelEntry[]
  readonly crossEncoders: readonly CrossEncoderEntry[]
}

const count = v.pipe(v.number(), v.integer(), v.minValue(1))
/** A name is also a folder below the folder of models. */
const name = v.pipe(
  v.string(),
  v.regex(
    /^[\w-][\w.-]*(\/[\w-][\w.-]*)?$/,
    ({ received }) =>
      `expected one or two parts of letters, digits, - _ and . with a / between, received ${received}`,
  ),
)
const repository = v.pipe(
  v.string(),
  v.regex(
    /^[\w.-]+\/[\w.-]+$/,
    ({ received }) => `expected publisher/name of a hub, received ${received}`,
  ),
)
const revision = v.pipe(
  v.string(),
  v.regex(/^[\w./-]+$/, ({ received }) => `expected a commit, tag or branch, received ${received}`),
)
const members = {
  name,
  summary: v.optional(v.pipe(v.string(), v.nonEmpty()), 'Your own model.'),
  repository: v.optional(repository),
  revision: v.optional(revision),
  maxTokens: v.optional(count),
  parameters: v.optional(count),
}
/** A list has no member that is wrong, and would count as an object without any. */
const noList = v.pipe(
  v.unknown(),
  v.check(
    (value) => !Array.isArray(value),
    'expected an object with models and crossEncoders, received a list',
  ),
)
const lists = v.strictObject({
  models: v.optional(
    v.array(
      v.strictObject({
        ...members,
        dimension: v.optional(count),
        pooling: v.optional(v.picklist([...poolingModes, 'sum'])),
        matryoshkaDimensions: v.optional(v.array(count)),
        batches: v.optional(v.boolean()),
        prompts: v.optional(v.strictObject({ query: v.string(), passage: v.string() })),
      }),
    ),
    [],
  ),
  crossEncoders: v.optional(
    v.array(v.strictObject({ ...members, aliases: v.optional(v.array(name)) })),
    [],
  ),
})

/** What is not known is refused: a misspelt member would be left out without a word. */
export const catalogueSchema: v.GenericSchema<unknown, CatalogueEntries> = v.pipe(noList, lists)
