/** What both searches may be narrowed to: the same members in both bodies. */
import * as v from 'valibot'
import { factWord } from '../../data/catalogue/fact-lists.js'
import type { OwnFilter } from '../../data/catalogue/own-filter.js'
import { typeName, type EntryFilter, type NamesFilter } from '../../data/catalogue/filter.js'
import { tagVocabulary } from '../../data/catalogue/tag-vocabulary.js'
import type { AdultWorks } from '../../base/config/work-kinds.js'
import { integer, kindOf, trimmedText } from './parts.js'

export const maxNames = 50
export const maxNameLength = 100

const name = trimmedText(maxNameLength)
const listOf = <Schema extends v.GenericSchema>(member: Schema) =>
  v.pipe(
    v.array(member),
    v.minLength(1, `must be 1 to ${maxNames} names; it is empty`),
    v.maxLength(maxNames, ({ received }) => `must be 1 to ${maxNames} names; it has ${received}`),
  )
const names = listOf(name)
const tagNames = listOf(
  v.pipe(
    name,
    v.check(
      (words) => tagVocabulary().keyOf(words) !== undefined,
      ({ input }) =>
        `expected a tag of the vocabulary, received ${JSON.stringify(input.slice(0, 40))}${tagVocabulary().suggestion(input)}`,
    ),
  ),
)
const nameOrNames = v.union(
  [name, names],
  ({ input }) =>
    `expected a name or a list of 1 to ${maxNames}, each of 1 to ${maxNameLength} characters, received ${kindOf(input)}`,
)

const notAChoice = (input: unknown) =>
  `expected an object of any, all and none, received ${kindOf(input)}`

const choiceOf = <Schema extends v.GenericSchema<string | string[], string[]>>(list: Schema) =>
  v.strictObject(
    {
      any: v.optional(v.pipe(list, v.description('At least one of these.'))),
      all: v.optional(v.pipe(list, v.description('All of these.'))),
      none: v.optional(v.pipe(list, v.description('None of these.'))),
    },
    ({ input, expected, path }) => {
      if (expected !== 'never') return notAChoice(input)
      // A list is taken for an object, whose first member is the one that is too many.
      const whole = path?.at(-1)?.input
      return Array.isArray(whole)
        ? notAChoice(whole)
        : 'expected any, all and none, no other member'
    },
  )

/** A list in the place of a choice means all of them. */
const listOrChoice = (list: v.GenericSchema<string[]>) =>
  v.pipe(
    v.union(
      [oneOrMore(list), choiceOf(oneOrMore(list))],
      ({ input }) =>
        `expected a list of names, or an object of any, all and none, received ${kindOf(input)}`,
    ),
    v.transform((choice): NamesFilter => (Array.isArray(choice) ? { all: choice } : choice)),
  )

/** One name in the place of a list. */
const oneOrMore = (list: v.GenericSchema<string[]>) =>
  v.pipe(
    v.union([v.string(), v.array(v.string())]),
    v.transform((names) => [names].flat()),
    list,
  )

const year = integer(1, 9999)

const notAScore = ({ input }: v.BaseIssue<unknown>) =>
  `expected a number from 0 to 10, received ${kindOf(input)}`

const maxOwnText = 200
const ownValue = v.union(
  [trimmedText(maxOwnText), v.number(), v.boolean()],
  ({ input }) => `expected a text, a number, true or false, received ${kindOf(input)}`,
)
const ownValues = listOf(ownValue)
const ownBound = v.union(
  [trimmedText(maxOwnText), v.number()],
  ({ input }) => `expected a number or a date, received ${kindOf(input)}`,
)
const notACondition = ({ input }: v.BaseIssue<unknown>) =>
  `expected a value, a list of 1 to ${maxNames}, or an object of any, all, none, from and to, received ${kindOf(input)}`

const ownCondition = v.union(
  [
    ownValue,
    ownValues,
    v.pipe(
      v.strictObject({
        any: v.optional(v.pipe(ownValues, v.description('At least one of these.'))),
        all: v.optional(v.pipe(ownValues, v.description('All of these.'))),
        none: v.optional(v.pipe(ownValues, v.description('None of these.'))),
        from: v.optional(v.pipe(ownBound, v.description('The least number or date, included.'))),
        to: v.optional(v.pipe(ownBound, v.description('The largest number or date, included.'))),
      }),
      // An empty list is taken for an object.
      v.check(
        (condition) => Object.keys(condition).length > 0,
        'expected any, all, none, from or to',
      ),
    ),
  ],
  notACondition,
)

/** To be spread into the entries of a request. */
export const filterEntries = {
  type: v.optional(
    v.pipe(
      nameOrNames,
      v.description(
        'One type or several, such as `tv`, `movie` or `light_novel`; an entry has to have one of them.',
      ),
    ),
  ),
  genres: v.optional(
    v.pipe(
      choiceOf(names),
      v.description('Genres that an entry must or must not have, in upper or lower case.'),
    ),
  ),
  tags: v.optional(
    v.pipe(
      choiceOf(tagNames),
      v.description(
        'Tags of the vocabulary that an entry must or must not have, such as `time-loop`, by key, name or synonym.',
      ),
    ),
  ),
  audience: v.optional(
    v.pipe(
      nameOrNames,
      v.description('One audience or several, such as `seinen`; an entry has to have one of them.'),
    ),
  ),
  studio: v.optional(
    v.pipe(
      nameOrNames,
      v.description('One studio or several, in upper or lower case; one of them has made it.'),
    ),
  ),
  where: v.optional(
    v.pipe(
      v.record(
        v.pipe(v.string(), v.nonEmpty(), v.maxLength(64)),
        ownCondition,
        ({ input }) => `expected an object of names, received ${kindOf(input)}`,
      ),
      v.check(
        (conditions) => Object.keys(conditions).length <= maxNames,
        `expected at most ${maxNames} names`,
      ),
      v.description(
        'Values of metadata that the mapping declares filterable, by name: one value, a list with one of its values, or any, all, none, from and to.',
      ),
    ),
  ),
  yearFrom: v.optional(v.pipe(year, v.description('The first year in which it may have begun.'))),
  yearTo: v.optional(v.pipe(year, v.description('The last year in which it may have begun.'))),
  minScore: v.optional(
    v.pipe(
      v.number(notAScore),
      v.minValue(0, notAScore),
      v.maxValue(10, notAScore),
      v.description('The lowest average rating that it may have.'),
    ),
  ),
  adult: v.optional(
    v.pipe(
      v.boolean(({ input }) => `expected true or false, received ${kindOf(input)}`),
      v.description(
        "`true` searches works for adults too, `false` leaves them out; by default the server's `--adult`.",
      ),
    ),
  ),
}

/** The same for language models, which write a list or one name where a choice belongs. */
export const filtersOfModels = {
  ...filterEntries,
  genres: v.optional(
    v.pipe(
      listOrChoice(names),
      v.description('Genres that it must have, or an object of any, all and none.'),
    ),
  ),
  tags: v.optional(
    v.pipe(
      listOrChoice(tagNames),
      v.description('Tags of the vocabulary that it must have, or an object of any, all and none.'),
    ),
  ),
}

export type FilterRequest = Omit<
  v.InferOutput<v.ObjectSchema<typeof filterEntries, undefined>>,
  'genres' | 'tags'
> & { readonly genres?: NamesFilter | undefined; readonly tags?: NamesFilter | undefined }

type Years = Pick<FilterRequest, 'yearFrom' | 'yearTo'>
export const yearsInOrder = ({ yearFrom, yearTo }: Years): boolean =>
  yearFrom === undefined || yearTo === undefined || yearFrom <= yearTo
export const yearsNotInOrder = ({ yearFrom, yearTo }: Years): string =>
  `expected yearFrom to be at most yearTo, received ${yearFrom} and ${yearTo}`

/** @param adultWorks what happens to works for adults where a request does not say */
export function filterOf(request: FilterRequest, adultWorks: AdultWorks): EntryFilter {
  const { type, genres, audience, studio, yearFrom, yearTo, minScore } = request
  const types = type === undefined ? undefined : [type].flat().map((word) => typeName(word) ?? word)
  const tags = request.tags && keysOf(request.tags)
  const audiences = audience === undefined ? undefined : [audience].flat().map(factWord)
  const studios = studio === undefined ? undefined : [studio].flat()
  return {
    types,
    genres,
    tags,
    audiences,
    studios,
    yearFrom,
    yearTo,
    minScore,
    ...(request.where && { where: mapValues(request.where) }),
    ...adultFilter(request, adultWorks),
  }
}

const mapValues = (where: NonNullable<FilterRequest['where']>): OwnFilter =>
  Object.fromEntries(
    Object.entries(where).map(([name, condition]) => [
      name,
      typeof condition === 'object' && !Array.isArray(condition)
        ? condition
        : { any: [condition].flat() },
    ]),
  )

/** The filter of requests that say nothing else of what they want. */
function adultFilter(
  { adult: isWanted }: Pick<FilterRequest, 'adult'>,
  adultWorks: AdultWorks,
): EntryFilter {
  return (isWanted ?? adultWorks === 'include') ? {} : { adult: false }
}

function keysOf(choice: NamesFilter): NamesFilter {
  const keys = (words: readonly string[] | undefined) =>
    words?.map((name) => tagVocabulary().keyOf(name) ?? name)
  return { any: keys(choice.any), all: keys(choice.all), none: keys(choice.none) }
}
