/** What the tools take. Models write one value where a list belongs, and a list where one value does. */
import * as v from 'valibot'
import type { EntryId } from '../../data/catalogue/text-ids.js'
import type { DatasetName } from '../../data/catalogue/catalogue.js'
import { filtersOfModels, yearsInOrder, yearsNotInOrder } from '../schemas/filters.js'
import { closedObject, freeText, integer, kindOf, trimmedText } from '../schemas/parts.js'

const maxCount = 50
const maxWorks = 100
const maxTitleLength = 200

const countOf = (fallback: number) =>
  v.optional(v.pipe(integer(1, maxCount), v.description('Number of results.')), fallback)

const anInteger = integer(0, Number.MAX_SAFE_INTEGER)
const aTitle = trimmedText(maxTitleLength)

interface Named {
  readonly id?: EntryId | undefined
  readonly title?: string | undefined
}
const namesOne = ({ id, title }: Named) => (id === undefined) !== (title === undefined)
const namesNotOne = 'expected an id or a title, and not both'

const spoilers = v.optional(
  v.pipe(
    v.boolean('expected true or false'),
    v.description('Whether texts that give an ending away are shown.'),
  ),
  false,
)

export const findInput = v.pipe(
  closedObject({
    query: freeText('What the work is about'),
    count: countOf(5),
    light_novels: v.optional(
      v.pipe(
        v.boolean('expected true or false'),
        v.description('Whether light novels are searched too; only manga has any.'),
      ),
      false,
    ),
    spoilers,
    ...filtersOfModels,
  }),
  v.forward(
    v.check(
      (request) => yearsInOrder(request),
      ({ input }) => yearsNotInOrder(input),
    ),
    ['yearFrom'],
  ),
)

/** An id or a title. */
export type NamedWork = number | string

const work = v.union(
  [anInteger, aTitle],
  ({ input }) => `expected an id or a title, received ${kindOf(input)}`,
)
const works = (description: string) =>
  v.optional(
    v.pipe(
      v.union(
        [work, v.pipe(v.array(work), v.maxLength(maxWorks, `expected at most ${maxWorks} works`))],
        ({ input }) => `expected ids or titles of works, received ${kindOf(input)}`,
      ),
      v.transform((one): readonly NamedWork[] => [one].flat()),
      v.description(description),
    ),
    [],
  )

/**
 * @param datasets those that a call may name
 * @param hasTextIds whether ids of one of them are texts
 */
export function createInputs(datasets: readonly DatasetName[], hasTextIds: boolean) {
  const anId: v.GenericSchema<EntryId> = hasTextIds ? v.union([anInteger, aTitle]) : anInteger
  const named = {
    id: v.optional(v.pipe(anId, v.description('The id of a work, as the tools return it.'))),
    title: v.optional(
      v.pipe(aTitle, v.description('Its title instead, in any language; typos are allowed.')),
    ),
  }
  const dataset = v.picklist(datasets, `expected ${datasets.join(' or ')}`)
  const similarInput = v.pipe(
    closedObject({ dataset, ...named, count: countOf(10) }),
    v.check((request) => namesOne(request), namesNotOne),
  )
  const entryInput = v.pipe(
    closedObject({ dataset, ...named, spoilers }),
    v.check((request) => namesOne(request), namesNotOne),
  )

  const recommendInput = v.pipe(
    closedObject({
      dataset,
      liked: works('Ids or titles of works that the results should be like.'),
      disliked: works('Ids or titles of works that they should be unlike.'),
      seen: works('Ids or titles of other works that are known already.'),
      query: v.optional(freeText('What the results should be, too, such as `but shorter`')),
      count: countOf(10),
      ...filtersOfModels,
    }),
    v.check(
      ({ liked, disliked, query }) => liked.length + disliked.length > 0 || query !== undefined,
      'expected liked or disliked works, or a query; received none of them',
    ),
    v.forward(
      v.check(
        (request) => yearsInOrder(request),
        ({ input }) => yearsNotInOrder(input),
      ),
      ['yearFrom'],
    ),
  )

  return { similarInput, entryInput, recommendInput }
}
