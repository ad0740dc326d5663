/** GET /similar/anime/{id} and /similar/manga/{id}: more like an entry, by its stored vectors. */
import { datasetNames, type DatasetName } from '../../catalogue/catalogue.js'
import { NotFoundError } from '../../errors/not-found-error.js'
import type { Operation } from '../openapi/operation.js'
import { admitProblems } from '../openapi/problems.js'
import { reportPhases } from '../phases.js'
import { readQuery } from '../read-query.js'
import type { Guards, Route } from '../route.js'
import { adultFilter } from '../schemas/filters.js'
import { similarPath, similarQuery, similarResponse } from '../schemas/similar.js'
import { hydrate, searchJson } from '../search-json.js'
import type { AppServices } from '../services.js'

export function similarRoutes(
  {
    search,
    entries,
    models,
    settings,
  }: Pick<AppServices, 'search' | 'entries' | 'models' | 'settings'>,
  { admit, work }: Guards,
): Route[] {
  const schema = similarQuery(models)
  return datasetNames.map((dataset) => ({
    group: 'similar',
    method: 'GET',
    path: `/similar/${dataset}/:id`,
    operation: describe(dataset, schema),
    guards: admit,
    async handler(c) {
      const id = idOf(c.req.param('id') ?? '')
      const { adult, ...asked } = await readQuery(c, schema)
      const filter = adultFilter({ adult }, settings.adult)
      const query = { dataset, id, ...asked, filter }
      const { results, members, pagination, meta, timings } = await work(c, async () => {
        const found = await search.neighbours(query, c.get('signal'))
        return { ...found, ...hydrate(entries, found) }
      })
      reportPhases(c, timings)
      const bytes = searchJson(results, members, pagination, meta)
      return c.body(bytes, 200, { 'Content-Type': 'application/json' })
    },
  }))
}

function idOf(text: string): number {
  const id = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
  if (Number.isSafeInteger(id)) return id
  throw new NotFoundError('There is no such entry; expected the id of one, an integer.')
}

function describe(dataset: DatasetName, query: ReturnType<typeof similarQuery>): Operation {
  const title = dataset === 'anime' ? 'Anime' : 'Manga'
  return {
    id: `similar${title}`,
    tag: 'More like this',
    summary: `${title} nearest to an entry`,
    description: `Compares every synopsis of the entry with every synopsis of the others, by the cosine of
their stored vectors; the best pair of an entry counts. Nothing is encoded, and the entry itself is
left out.`,
    path: similarPath,
    query,
    responses: {
      200: {
        description: 'A page of entries, the nearest first.',
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
      'model-not-installed',
    ],
  }
}
