/** POST /recommend/anime and /recommend/manga: works for somebody, by those that they liked and disliked. */
import type { DatasetName } from '../../../data/catalogue/catalogue.js'
import type { Browse } from '../../../search/browse/browse.js'
import { createMembersOf } from '../entry-members.js'
import { titleOf } from '../openapi/dataset-title.js'
import type { Operation } from '../openapi/operation.js'
import { admitProblems, bodyProblems, searchProblems } from '../openapi/problems.js'
import { reportPhases } from '../phases.js'
import { readQueryAndJson } from '../read-query.js'
import type { Guards, Route } from '../route.js'
import { filterOf } from '../../schemas/filters.js'
import { recommendQuery, recommendRequest, recommendResponse } from '../../schemas/recommend.js'
import type { AppServices } from '../services.js'
import { searchBody } from './search.js'

type RecommendServices = Required<Pick<AppServices, 'recommend' | 'settings' | 'datasets'>> & {
  readonly browse: Pick<Browse, 'titleOf'>
}

/** As many as a search scores: the first pages. */
const candidates = 200
const pairsAtOnce = 32

export function recommendRoutes(
  { recommend, browse, settings, datasets }: RecommendServices,
  { admit, work }: Guards,
): Route[] {
  const membersOf = createMembersOf()
  return datasets.map((dataset) => ({
    group: 'similar',
    method: 'POST',
    path: `/recommend/${dataset}`,
    operation: describe(dataset),
    guards: admit,
    async handler(c) {
      const { query, body } = await readQueryAndJson(
        c,
        recommendQuery,
        recommendRequest,
        settings.bodyLimit,
      )
      const begun = performance.now()
      if (body.query !== undefined) c.set('query', body.query)
      const wanted = {
        dataset,
        query: body.query,
        liked: body.liked,
        disliked: body.disliked,
        seen: body.seen,
        numResults: body.num_results,
        page: body.page,
        group: body.group,
        sort: body.sort,
        facets: body.facets,
        explain: true,
        batchSize: pairsAtOnce,
        candidates,
        includeLightNovels: false,
        filter: filterOf(body, settings.adult),
      } as const
      const found = await work(c, () => recommend(wanted, c.get('signal')))
      reportPhases(c, found.timings)
      const elapsed = performance.now() - begun
      const { results, ...answer } = searchBody(
        dataset,
        { ...body, ...query },
        found,
        membersOf,
        elapsed,
      )
      const liked = (id: number) => ({ id, title: browse.titleOf(dataset, id, query.titles) ?? '' })
      return c.json({
        results: results.map((result, at) => ({
          ...result,
          because: (found.because[at] ?? []).map(liked),
        })),
        ...answer,
      })
    },
  }))
}

/** Works that the catalogue of the documentation has. */
const examples: Readonly<Record<DatasetName, number>> = { anime: 1535, manga: 2 }

function describe(dataset: DatasetName): Operation {
  return {
    id: `recommend${titleOf(dataset)}`,
    tag: 'More like this',
    summary: `${titleOf(dataset)} for somebody who liked and disliked others`,
    description: `Works that are like the liked ones and unlike the disliked ones, by tags, genres, makers, form and
what people recommend. A \`query\` narrows them down. Works that are named in the request are left out, and so are
their franchises. The server stores nothing of it.`,
    query: recommendQuery,
    body: {
      schema: recommendRequest,
      examples: {
        'Works like two others': {
          summary: 'Works like two others',
          value: { liked: [{ id: examples[dataset] ?? 1 }], num_results: 5 },
        },
      },
    },
    responses: {
      200: {
        description: 'A page of entries, the best first.',
        headers: ['Server-Timing'],
        schema: recommendResponse,
      },
    },
    problems: [...bodyProblems, ...admitProblems, ...searchProblems],
  }
}
