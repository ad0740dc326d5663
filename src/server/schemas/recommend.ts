/** POST /recommend/…: body and response. */
import * as v from 'valibot'
import { facetsEntry, sortEntry } from './orders.js'
import { fields } from './entry-members.js'
import { filterEntries, yearsInOrder, yearsNotInOrder } from './filters.js'
import { excluded } from './lists.js'
import { closedObject, freeText, integer, maxResults, text, unlike } from './parts.js'
import { maxResultWindow } from '../../search/service/pagination.js'
import { isWithinReach } from './searchmodel.js'
import { rankedEntry, searchAnswerEntries } from './search.js'
import { titleLanguageEntry } from './title-language.js'

export const recommendQuery = closedObject(titleLanguageEntry)

const maxWorks = 5000

const work = v.pipe(
  closedObject({
    id: v.pipe(v.number(), v.safeInteger(), v.description('The entry.')),
    weight: v.optional(
      v.pipe(
        v.number(),
        v.minValue(0),
        v.maxValue(10),
        v.description('How much it counts, 0 to 10.'),
      ),
      1,
    ),
  }),
  v.title('WeightedWork'),
)

const works = (description: string) =>
  v.optional(
    v.pipe(
      v.array(work),
      v.maxLength(maxWorks, `expected at most ${maxWorks} works`),
      v.description(description),
    ),
    [],
  )

export const recommendRequest = v.pipe(
  closedObject({
    liked: works('Works that the results should be like. Those that count most are compared.'),
    disliked: works('Works that the results should be unlike.'),
    seen: v.optional(excluded, []),
    query: v.optional(freeText('What the results should be, too, such as `but shorter`')),
    num_results: v.optional(
      v.pipe(integer(1, maxResults), v.description('Number of results.')),
      10,
    ),
    page: v.optional(
      v.pipe(integer(1, maxResultWindow), v.description('Page of `num_results` results, from 1.')),
      1,
    ),
    group: v.optional(
      v.pipe(
        v.literal('franchise', unlike('franchise')),
        v.description('`franchise`: only the best entry of each franchise.'),
      ),
    ),
    sort: sortEntry('fit', 'The order of the results, as in /search.'),
    facets: facetsEntry,
    fields: v.optional(fields),
    ...filterEntries,
  }),
  v.forward(
    v.check(
      (request) => yearsInOrder(request),
      ({ input }) => yearsNotInOrder(input),
    ),
    ['yearFrom'],
  ),
  v.forward(
    v.check(
      ({ page, num_results: resultsPerPage }) => isWithinReach({ page, resultsPerPage }),
      ({ input: { page, num_results } }) =>
        `expected page * num_results to be at most ${maxResultWindow}, received ${page * num_results}`,
    ),
    ['page'],
  ),
  v.forward(
    v.check(
      ({ liked, disliked, query }) => liked.length + disliked.length > 0 || query !== undefined,
      'expected liked or disliked works, or a query; received none of them',
    ),
    ['liked'],
  ),
  v.title('RecommendRequest'),
)

const reason = v.pipe(
  v.object({
    id: v.pipe(v.number(), v.integer(), v.description('A liked entry.')),
    title: text('Its title.'),
  }),
  v.title('LikedWork'),
)

export const recommendResponse = v.pipe(
  v.object({
    ...searchAnswerEntries,
    results: v.pipe(
      v.array(
        v.pipe(
          v.object({
            ...rankedEntry.entries,
            because: v.pipe(
              v.array(reason),
              v.description('Liked entries that it is most like, at most three.'),
            ),
          }),
          v.title('RecommendedEntry'),
        ),
      ),
      v.description('The best first. None is liked, disliked or seen, or of the franchise of one.'),
    ),
  }),
  v.title('RecommendAnswer'),
)
