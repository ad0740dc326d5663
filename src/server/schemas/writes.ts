/** PUT, PATCH and DELETE /entries/…, GET /tasks: entries in the shape of an export, and what became of a write. */
import * as v from 'valibot'
import type { EntryFacts } from '../../data/catalogue/entry-facts.js'
import { countNames, listNames, wordNames } from '../../data/catalogue/entry-facts.js'
import { tagVocabulary } from '../../data/catalogue/tag-vocabulary.js'
import { textIdMember } from '../../data/catalogue/text-ids.js'
import { cleanLine, cleanText } from '../../data/datasets/clean-text.js'
import { readType } from '../../data/datasets/types.js'
import type { EntryChanges, WrittenEntry } from '../../data/writes/operation.js'
import { filterEntries, yearsInOrder, yearsNotInOrder } from './filters.js'
import {
  closedObject,
  count,
  countOrNull,
  integer,
  kindOf,
  text,
  textOrNull,
  trimmedText,
} from './parts.js'

/** Of one upload, and of one request to delete. */
export const maxWrittenEntries = 10_000
const maxNames = 1000
const maxNameLength = 500
const maxSynopsisLength = 100_000
const maxCount = 1_000_000

const id = integer(0, Number.MAX_SAFE_INTEGER)

const notAnObject = ({ input }: v.BaseIssue<unknown>) =>
  `expected an object, received ${kindOf(input)}`

const optional = <Schema extends v.GenericSchema>(schema: Schema, description: string) =>
  v.optional(v.nullable(v.pipe(schema, v.description(description))))

const name = v.pipe(trimmedText(maxNameLength), v.transform(cleanLine))

const names = v.pipe(
  v.array(name, ({ input }) => `expected a list of names, received ${kindOf(input)}`),
  v.maxLength(
    maxNames,
    ({ received }) => `expected at most ${maxNames} names, received ${received}`,
  ),
)

const tagWeights = v.pipe(
  v.record(
    v.string(),
    v.picklist(
      [1, 2, 3],
      ({ input }) => `expected a weight of 1, 2 or 3, received ${kindOf(input)}`,
    ),
    notAnObject,
  ),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return
    for (const tag of Object.keys(dataset.value))
      if (!isTag(tag))
        addIssue({
          message: `expected keys of the vocabulary of tags, received ${JSON.stringify(tag.slice(0, 40))}${tagVocabulary().suggestion(tag)}`,
        })
  }),
)

const isTag = (key: string) => tagVocabulary().keyOf(key) === key

const metadata = v.pipe(
  v.record(v.string(), v.unknown(), notAnObject),
  v.check(
    (members) => Object.keys(members).length <= maxNames,
    `expected at most ${maxNames} members`,
  ),
  v.check(
    (members) => !(textIdMember in members),
    `expected another name than ${textIdMember}, which the server needs`,
  ),
)

const texts = v.record(
  v.string(),
  v.nullable(
    v.pipe(
      v.string(({ input }) => `expected text or null, received ${kindOf(input)}`),
      v.maxCodePoints(
        maxSynopsisLength,
        `expected at most ${maxSynopsisLength.toLocaleString('en')} characters`,
      ),
    ),
  ),
  notAnObject,
)

const of = <Names extends readonly string[], Schema extends v.GenericSchema>(
  list: Names,
  schema: Schema,
) =>
  Object.fromEntries(list.map((one) => [one, v.optional(v.nullable(schema))])) as Record<
    Names[number],
    v.OptionalSchema<v.NullableSchema<Schema, undefined>, undefined>
  >

const number = (minimum: number, maximum: number) => {
  const message = ({ input }: v.BaseIssue<unknown>) =>
    `expected a number from ${minimum} to ${maximum}, received ${kindOf(input)}`
  return v.pipe(v.number(message), v.minValue(minimum, message), v.maxValue(maximum, message))
}

/** Members of an entry but its id and its title. */
const members = {
  alternativeTitles: optional(names, 'Its other titles.'),
  type: optional(name, 'Such as `tv`, `movie` or `light_novel`.'),
  year: optional(integer(1, 9999), 'The year in which it began.'),
  score: optional(number(0, 10), 'Average rating by the users of its site, 0 to 10.'),
  popularity: optional(
    number(0, 100),
    '-ln of the share of works that at least as many people know: 0 for the least known.',
  ),
  genres: optional(names, 'Its genres.'),
  ...of(countNames, integer(0, maxCount)),
  ...of(listNames, names),
  ...of(wordNames, name),
  adult: optional(
    v.boolean(({ input }) => `expected true or false, received ${kindOf(input)}`),
    'Whether it is for adults only.',
  ),
  tags: optional(tagWeights, 'Keys of the vocabulary, weighed 1 to 3.'),
  spoilerTags: optional(tagWeights, 'Tags that tell how the story goes on.'),
  metadata: optional(
    metadata,
    'Anything else; `malId` and `anilistId` link the entry to its pages.',
  ),
  texts: optional(texts, 'Its texts by column of the dataset.'),
}

const title = v.pipe(name, v.description('Its main title.'))

export const writtenEntry = v.pipe(
  closedObject({
    id: v.pipe(id, v.description('What the entry is found by.')),
    title,
    ...members,
    dataset: v.optional(v.string()),
  }),
  v.title('EntryRequest'),
)

/** An upload as the documentation has it; src/server/http/read-entries.ts reads it entry by entry. */
export const writtenEntries = v.pipe(v.array(writtenEntry), v.title('EntriesRequest'))

export const entryChanges = v.pipe(
  closedObject({ title: v.optional(title), ...members }),
  v.check((changes) => Object.keys(changes).length > 0, 'expected a member to change'),
  v.title('EntryChangesRequest'),
)

const filterNames = Object.keys(filterEntries)

export const deletion = v.pipe(
  closedObject({
    ids: v.optional(
      v.pipe(
        v.array(id),
        v.minLength(1, 'expected at least one id'),
        v.maxLength(
          maxWrittenEntries,
          ({ received }) => `expected at most ${maxWrittenEntries} ids, received ${received}`,
        ),
        v.description('The entries to delete.'),
      ),
    ),
    ...filterEntries,
  }),
  v.check(
    (request) => yearsInOrder(request),
    ({ input }) => yearsNotInOrder(input),
  ),
  v.check((request) => {
    const hasFilter = filterNames.some((one) => request[one as keyof typeof request] !== undefined)
    return hasFilter !== (request.ids !== undefined)
  }, 'expected either ids, or at least one condition of a filter'),
  v.title('DeletionRequest'),
)

const failure = v.object({
  id: v.pipe(
    v.union([v.pipe(v.number(), v.integer()), v.string()]),
    v.description('Of the entry.'),
  ),
  reason: text('Why it is as it was.'),
})

export const task = v.pipe(
  v.object({
    id: count('Counts the writes of a data folder.'),
    status: v.pipe(
      v.picklist(['enqueued', 'running', 'done', 'failed']),
      v.description('`done`: every search finds the change.'),
    ),
    kind: v.pipe(
      v.picklist(['put', 'patch', 'delete', 'delete-matching']),
      v.description('The request.'),
    ),
    dataset: text('The dataset.', 'anime'),
    entries: countOrNull('Entries that the request names; null where a filter finds them.'),
    enqueuedAt: text('ISO 8601, as is `finishedAt`.', '2026-11-29T12:00:00.000Z'),
    finishedAt: textOrNull('Null until it is done.'),
    added: count('Entries that are new.'),
    updated: count('Entries that were there, and are replaced or changed.'),
    deleted: count('Entries that are gone.'),
    missing: count('Ids to delete that no entry had.'),
    failures: v.pipe(v.array(failure), v.description('Entries that could not be changed.')),
    problem: textOrNull(
      'Why it is not done yet, where something is wrong; the server tries again.',
    ),
  }),
  v.title('Task'),
)
export type Task = v.InferOutput<typeof task>

export const tasksQuery = closedObject({
  status: v.optional(
    v.pipe(
      v.picklist(
        ['enqueued', 'running', 'done', 'failed'],
        'expected enqueued, running, done or failed',
      ),
      v.description('Only tasks of this status.'),
    ),
  ),
  limit: v.optional(
    v.pipe(
      v.union([v.string(), v.number()]),
      v.transform((word) => (/^\d+$/.test(String(word)) ? Number(word) : word)),
      integer(1, 1000),
      v.description('At most so many.'),
    ),
    20,
  ),
})

export const tasksResponse = v.pipe(
  v.object({
    tasks: v.pipe(v.array(task), v.description('The newest first.')),
    total: count('Tasks of this status that the server knows of.'),
  }),
  v.title('Tasks'),
)

export const taskPath = { id: v.pipe(id, v.description('Of the task, as the write returned it.')) }

type Members = Partial<Omit<v.InferOutput<typeof writtenEntry>, 'id' | 'title' | 'dataset'>>

export function toWrittenEntry({
  id,
  title,
  ...rest
}: v.InferOutput<typeof writtenEntry>): WrittenEntry {
  const { facts, ...own } = changesOf(rest)
  const known = Object.entries(facts ?? {}).filter(([, value]) => !isBlank(value))
  return { ...own, id, title, facts: Object.fromEntries(known) as EntryFacts }
}

export function toChanges({ title, ...rest }: v.InferOutput<typeof entryChanges>): EntryChanges {
  return { ...(title !== undefined && { title }), ...changesOf(rest) }
}

/** Null clears a member. */
function changesOf(request: Members): Omit<EntryChanges, 'title'> {
  const { type, year, score, popularity, genres, metadata, texts, alternativeTitles } = request
  const facts: Record<string, unknown> = {}
  const given = request as Readonly<Record<string, unknown>>
  if (alternativeTitles !== undefined) facts.otherTitles = alternativeTitles ?? []
  for (const name of [...countNames, 'adult'])
    if (given[name] !== undefined) facts[name] = given[name]
  for (const name of listNames) if (given[name] !== undefined) facts[name] = given[name] ?? []
  for (const name of wordNames) {
    const value = given[name]
    // As an import reads it: sources write `Shounen` and `shounen`.
    if (value !== undefined) facts[name] = name === 'audience' ? lower(value) : value
  }
  for (const name of ['tags', 'spoilerTags'])
    if (given[name] !== undefined) facts[name] = given[name] ?? {}
  return {
    ...(type !== undefined && { type: type === null ? null : readType(type) }),
    ...(year !== undefined && { year }),
    ...(score !== undefined && { score }),
    ...(popularity !== undefined && { popularity }),
    ...(genres !== undefined && { genres: genres ?? [] }),
    ...(Object.keys(facts).length > 0 && { facts }),
    ...(metadata && { metadata }),
    ...(texts && {
      texts: Object.fromEntries(
        Object.entries(texts).map(([column, raw]) => [
          column,
          raw === null ? null : cleanText(raw),
        ]),
      ),
    }),
  }
}

const lower = (value: unknown) => (typeof value === 'string' ? value.toLowerCase() : null)

const isBlank = (value: unknown) =>
  value === null || (typeof value === 'object' && Object.keys(value).length === 0)
