/** POST /browse/…: the entries that pass a filter, without a query. */
import type { DatasetName } from '../../../data/catalogue/catalogue.js'
import { shownTitle } from '../../../data/catalogue/shown-title.js'
import { createMembersOf, pickMembers } from '../entry-members.js'
import { titleOf } from '../openapi/dataset-title.js'
import type { Operation } from '../openapi/operation.js'
import { admitProblems, bodyProblems } from '../openapi/problems.js'
import { readQueryAndJson } from '../read-query.js'
import type { Guards, Route } from '../route.js'
import { filterOf } from '../../schemas/filters.js'
import { listingQuery, listingRequest, listingResponse } from '../../schemas/list.js'
import type { AppServices } from '../services.js'
import { shortened } from './search.js'

export function listRoutes(
  {
    listEntries,
    settings,
    datasets,
  }: Required<Pick<AppServices, 'listEntries' | 'settings' | 'datasets'>>,
  { admit, work }: Guards,
): Route[] {
  const membersOf = createMembersOf()
  return datasets.map((dataset) => ({
    group: 'browse',
    method: 'POST',
    path: `/browse/${dataset}`,
    operation: listing(dataset),
    guards: admit,
    async handler(c) {
      const { query, body } = await readQueryAndJson(
        c,
        listingQuery,
        listingRequest,
        settings.bodyLimit,
      )
      const { sort, page, num_results: numResults, facets, fields = [] } = body
      const filter = filterOf(body, settings.adult)
      const found = await work(c, () =>
        listEntries({ dataset, filter, sort, page, numResults, facets }),
      )
      const wantsColumn = fields === 'all' || fields.includes('column')
      return c.json({
        results: found.results.map(({ entry, synopsis, column, popularityRank }) => ({
          id: entry.id,
          title: shownTitle(entry, query.titles),
          synopsis: shortened(synopsis),
          ...pickMembers(membersOf(dataset, entry, popularityRank), fields),
          ...(wantsColumn && { column }),
        })),
        pagination: found.pagination,
        ...(found.facets && { facets: found.facets }),
        ...(found.warnings.length > 0 && { warnings: found.warnings }),
      })
    },
  }))
}

const listing = (dataset: DatasetName): Operation => ({
  id: `list${titleOf(dataset)}`,
  tag: 'Browse',
  summary: `${titleOf(dataset)} that pass a filter`,
  description: 'A listing without a query: filters, an order, pages and counts.',
  query: listingQuery,
  body: {
    schema: listingRequest,
    examples: {
      'The best rated films': {
        summary: 'The best rated films',
        value: { type: 'movie', sort: 'rating', num_results: 5 },
      },
    },
  },
  responses: { 200: { description: 'A page of entries.', schema: listingResponse } },
  problems: [...bodyProblems, ...admitProblems, 'dataset-missing'],
})
