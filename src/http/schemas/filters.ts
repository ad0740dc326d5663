/** What both searches may be narrowed to: the same members in both bodies. */
import * as v from 'valibot'
import { typeName, type EntryFilter } from '../../catalogue/filter.js'
import { integer, kindOf, trimmedText } from './parts.js'

export const maxNames = 50
export const maxNameLength = 100

const name = trimmedText(maxNameLength)
const names = v.pipe(
  v.array(name),
  v.minLength(1, `expected 1 to ${maxNames} names, received none`),
  v.maxLength(maxNames, ({ received }) => `expected 1 to ${maxNames} names, received ${received}`),
)
const nameOrNames = v.union(
  [name, names],
  ({ input }) =>
    `expected a name or a list of 1 to ${maxNames}, each of 1 to ${maxNameLength} characters, received ${kindOf(input)}`,
)

const notGenres = (input: unknown) =>
  `expected an object of any, all and none, received ${kindOf(input)}`

const genres = v.strictObject(
  {
    any: v.optional(v.pipe(names, v.description('At least one of these.'))),
    all: v.optional(v.pipe(names, v.description('All of these.'))),
    none: v.optional(v.pipe(names, v.description('None of these.'))),
  },
  ({ input, expected, path }) => {
    if (expected !== 'never') return notGenres(input)
    // A list is taken for an object, whose first member is the one that is too many.
    const whole = path?.at(-1)?.input
    return Array.isArray(whole) ? notGenres(whole) : 'expected any, all and none, no other member'
  },
)

const year = integer(1, 9999)

const notAScore = ({ input }: v.BaseIssue<unknown>) =>
  `expected a number from 0 to 10, received ${kindOf(input)}`

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
      genres,
      v.description('Genres that an entry must or must not have, in upper or lower case.'),
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
      v.description('`false` leaves out works for adults, `true` all others.'),
    ),
  ),
}

export type FilterRequest = v.InferOutput<v.ObjectSchema<typeof filterEntries, undefined>>

type Years = Pick<FilterRequest, 'yearFrom' | 'yearTo'>
export const yearsInOrder = ({ yearFrom, yearTo }: Years): boolean =>
  yearFrom === undefined || yearTo === undefined || yearFrom <= yearTo
export const yearsNotInOrder = ({ yearFrom, yearTo }: Years): string =>
  `expected yearFrom to be at most yearTo, received ${yearFrom} and ${yearTo}`

export function filterOf(request: FilterRequest): EntryFilter {
  const { type, genres, yearFrom, yearTo, minScore, adult } = request
  const types = type === undefined ? undefined : [type].flat().map((word) => typeName(word) ?? word)
  return { types, genres, yearFrom, yearTo, minScore, adult }
}
