/** POST /search: a search of all datasets with one order. */
import { createMembersOf } from '../entry-members.js'
import type { Operation } from '../openapi/operation.js'
import { admitProblems, bodyProblems, searchProblems } from '../openapi/problems.js'
import { reportPhases } from '../phases.js'
import { readQueryAndJson } from '../read-query.js'
import type { Guards, Route } from '../route.js'
import { filterOf } from '../../schemas/filters.js'
import { joinedRequest, joinedResponse, searchQuery } from '../../schemas/search.js'
import type { AppServices } from '../services.js'
import { searchBody } from './search.js'

export function joinedSearchRoutes(
  {
    joinedSearch,
    settings,
    entryIds,
  }: Required<Pick<AppServices, 'joinedSearch' | 'settings'>> & Pick<AppServices, 'entryIds'>,
  { admit, work }: Guards,
): Route[] {
  const membersOf = createMembersOf()
  return [
    {
      group: 'search',
      method: 'POST',
      path: '/search',
      operation: searching,
      guards: admit,
      async handler(c) {
        const { query, body } = await readQueryAndJson(
          c,
          searchQuery,
          joinedRequest,
          settings.bodyLimit,
        )
        c.set('query', body.query)
        const begun = performance.now()
        const wanted = {
          query: body.query,
          datasets: body.datasets,
          numResults: body.num_results,
          batchSize: body.batch_size,
          candidates: query.candidates,
          includeLightNovels: query.include_light_novels,
          filter: filterOf(body, settings.adult),
          interpret: body.interpret,
          ignore: body.ignore?.map(([begin, end]) => ({ begin, end })),
          group: body.group,
          explain: body.explain,
          spoilers: body.spoilers,
          page: body.page,
          excludeListed: query.excludeListed,
          sort: body.sort,
          facets: body.facets,
          model: query.model_name,
          device: query.device,
        }
        const found = await work(c, () => joinedSearch(wanted, c.get('signal')))
        reportPhases(c, found.timings)
        const shown = { ...body, ...query }
        const elapsed = performance.now() - begun
        const { results, ...answer } = searchBody(
          found.results.map(({ dataset }) => dataset),
          shown,
          found,
          membersOf,
          elapsed,
        )
        return c.json({
          results: results.map((result, at) => {
            const dataset = found.results[at]?.dataset ?? ''
            const shown = { dataset, ...result }
            return entryIds?.of(dataset)?.toShown(shown) ?? shown
          }),
          ...answer,
        })
      },
    },
  ]
}

const searching: Operation = {
  id: 'search',
  tag: 'Search',
  summary: 'Works of all datasets that match a query best',
  description: `As the searches of one dataset, with one order: by score, or as \`sort\` says. Each result names its
\`dataset\`; \`interpretation\` is that of the dataset of the best.`,
  query: searchQuery,
  body: {
    schema: joinedRequest,
    examples: {
      'A search of both': {
        summary: 'A search of both',
        value: {
          query: 'a notebook that kills people whose names are written in it',
          num_results: 3,
        },
      },
    },
  },
  responses: {
    200: {
      description: 'Entries, the best first.',
      headers: ['Server-Timing'],
      schema: joinedResponse,
    },
  },
  problems: [...bodyProblems, ...admitProblems, ...searchProblems],
}
