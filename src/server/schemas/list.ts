/** POST /browse/…: body and response. */
import * as v from 'valibot'
import { fields, optionalEntryMembers } from './entry-members.js'
import { someFacets } from './facets.js'
import { filterEntries, yearsInOrder, yearsNotInOrder } from './filters.js'
import { facetsEntry, sortEntry } from './orders.js'
import { closedObject, integer, maxResults, text, textOrNull, texts } from './parts.js'
import { maxResultWindow } from '../../search/service/pagination.js'
import { isWithinReach, pagination } from './searchmodel.js'
import { titleLanguageEntry } from './title-language.js'

export const listingQuery = closedObject(titleLanguageEntry)

export const listingRequest = v.pipe(
  closedObject({
    num_results: v.optional(
      v.pipe(integer(1, maxResults), v.description('Number of results.')),
      10,
    ),
    page: v.optional(
      v.pipe(integer(1, maxResultWindow), v.description('Page of `num_results` results, from 1.')),
      1,
    ),
    sort: sortEntry('popularity', 'The order of the results: the best known first.'),
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
  v.title('ListingRequest'),
)

export const listingResponse = v.pipe(
  v.object({
    results: v.pipe(
      v.array(
        v.pipe(
          v.object({
            id: v.pipe(v.number(), v.integer(), v.description('The entry; stable.')),
            title: text('Its title.'),
            synopsis: text(
              'Its synopsis, cut after 500 characters; empty for an entry that has none.',
            ),
            ...optionalEntryMembers,
            column: v.exactOptional(
              textOrNull('The column of that synopsis; null if it has none.'),
            ),
          }),
          v.title('ListedEntry'),
        ),
      ),
      v.description('In the requested order; ties by id.'),
    ),
    pagination,
    facets: v.optional(v.pipe(someFacets, v.description('Of all entries that pass the filter.'))),
    warnings: v.optional(texts('What differs from the request; absent if nothing does.')),
  }),
  v.title('Listing'),
)
