/** GET /similar/anime/{id} and /similar/manga/{id}: more like an entry, by its stored vectors. */
import type { DatasetName } from '../../../data/catalogue/catalogue.js'
import { entryIdOf } from '../text-id-routes.js'
import { titleOf } from '../openapi/dataset-title.js'
import type { Operation } from '../openapi/operation.js'
import { admitProblems } from '../openapi/problems.js'
import { reportPhases } from '../phases.js'
import { readQuery } from '../read-query.js'
import { revalidatedBody } from '../revalidated-json.js'
import type { Guards, Route } from '../route.js'
import { filterOf } from '../../schemas/filters.js'
import { similarPath, similarQuery, similarResponse } from '../../schemas/similar.js'
import { hydrate, searchJson } from '../search-json.js'
import type { AppServices } from '../services.js'

export function similarRoutes(
  {
    search,
    entries,
    models,
    settings,
    datasets,
  }: Pick<AppServices, 'search' | 'entries' | 'models' | 'settings' | 'datasets'>,
  { admit, work }: Guards,
): Route[] {
  const schema = similarQuery(models)
  return datasets.map((dataset) => ({
    group: 'similar',
    method: 'GET',
    path: `/similar/${dataset}/:id`,
    operation: describe(dataset, schema),
    guards: admit,
    async handler(c) {
      const id = entryIdOf(c)
      const { genres, titles, excludeListed, ...parameters } = await readQuery(c, schema)
      const { model, page, resultsPerPage, sameFranchise } = parameters
      const filter = filterOf({ ...parameters, genres: genres && { all: genres } }, settings.adult)
      const query = {
        dataset,
        id,
        model,
        page,
        resultsPerPage,
        sameFranchise,
        filter,
        excludeListed,
      }
      const { results, members, pagination, meta, timings } = await work(c, async () => {
        const found = await search.neighbours(query, c.get('signal'))
        return { ...found, ...hydrate(entries, found, titles) }
      })
      reportPhases(c, timings)
      const bytes = searchJson(results, members, pagination, meta)
      return revalidatedBody(c, bytes)
    },
  }))
}

function describe(dataset: DatasetName, query: ReturnType<typeof similarQuery>): Operation {
  const title = titleOf(dataset)
  return {
    id: `similar${title}`,
    tag: 'More like this',
    summary: `${title} like an entry`,
    description: `The ranking is 90 % metadata (tags, genres, makers, form) and 10 % text. Results are not sorted by
\`similarity\`, which is only the text part: the cosine of the stored vectors of the nearest pair of synopses.
Works that fans of the entry recommend rank higher; of two that are equally alike, the better known one comes
first. Nothing is encoded. The entry and its franchise are left out.`,
    path: similarPath,
    query,
    responses: {
      200: {
        description: 'A page of entries, the most alike first.',
        headers: ['Server-Timing'],
        schema: similarResponse,
      },
    },
    problems: [
      ...admitProblems,
      'invalid-request',
      'not-found',
      'dataset-missing',
      'embeddings-missing',
      'embeddings-stale',
      'embeddings-broken',
      'index-mismatch',
      'index-unavailable',
      'model-not-installed',
    ],
  }
}
