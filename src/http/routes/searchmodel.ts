/** POST /searchmodel/anime and /searchmodel/manga: description similarity by a named model. */
import { datasetNames, type DatasetName } from '../../catalogue/catalogue.js'
import { maxResultWindow } from '../../search/pagination.js'
import type { Operation } from '../openapi/operation.js'
import { admitProblems, bodyProblems, searchProblems } from '../openapi/problems.js'
import { examplesOf } from '../openapi/example-queries.js'
import { reportPhases } from '../phases.js'
import { readQueryAndJson } from '../read-query.js'
import type { Guards, Route } from '../route.js'
import { filterOf } from '../schemas/filters.js'
import { listQuery } from '../schemas/lists.js'
import { searchModelRequest, searchModelResponse } from '../schemas/searchmodel.js'
import { hydrate, searchJson } from '../search-json.js'
import type { AppServices } from '../services.js'

export function searchModelRoutes(
  {
    search,
    entries,
    models,
    settings,
  }: Pick<AppServices, 'search' | 'entries' | 'models' | 'settings'>,
  { admit, work }: Guards,
): Route[] {
  const schema = searchModelRequest(models)
  return datasetNames.map((dataset) => ({
    group: 'searchmodel',
    method: 'POST',
    path: `/searchmodel/${dataset}`,
    operation: describe(dataset, schema, models[0] ?? ''),
    guards: admit,
    async handler(c) {
      const { query, body } = await readQueryAndJson(c, listQuery, schema, settings.bodyLimit)
      c.set('query', body.description)
      const request = {
        dataset,
        model: body.model,
        description: body.description,
        page: body.page,
        resultsPerPage: body.resultsPerPage,
        mode: body.mode,
        filter: filterOf(body, settings.adult),
        excludeListed: query.excludeListed,
      }
      const { results, members, pagination, meta, timings } = await work(c, async () => {
        const found = await search.similar(request, c.get('signal'))
        return { ...found, ...hydrate(entries, found) }
      })
      const { model, mode, dataset: name, device, notes } = meta
      const fullMeta = { model, mode, dataset: name, device, timings, notes }
      reportPhases(c, timings)
      const bytes = searchJson(results, members, pagination, fullMeta)
      return c.body(bytes, 200, { 'Content-Type': 'application/json' })
    },
  }))
}

function describe(
  dataset: DatasetName,
  schema: ReturnType<typeof searchModelRequest>,
  model: string,
): Operation {
  const title = dataset === 'anime' ? 'Anime' : 'Manga'
  return {
    id: `searchModel${title}`,
    tag: 'Description similarity',
    summary: `${title} most similar to a description`,
    description: `Compares the description with every synopsis of every source, by the cosine of their
vectors. An entry stands once, by its best synopsis. Pages are slices of one total order: no entry
twice, none lost. \`page * resultsPerPage\` is at most ${maxResultWindow}.`,
    query: listQuery,
    body: {
      schema,
      examples: examplesOf(dataset, (text) => ({
        model,
        description: text,
        page: 1,
        resultsPerPage: 5,
      })),
    },
    responses: {
      200: {
        description: 'A page of entries, the most similar first.',
        headers: ['Server-Timing'],
        schema: searchModelResponse,
      },
    },
    problems: [...bodyProblems, ...admitProblems, ...searchProblems],
  }
}
