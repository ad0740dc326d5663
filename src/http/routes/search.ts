/** POST /search/anime and /search/manga: search by a ranker that reads query and synopsis together. */
import type * as v from 'valibot'
import { datasetNames, type DatasetName } from '../../catalogue/catalogue.js'
import type { Interpretation } from '../../query/interpretation.js'
import type { RankedAnswer } from '../../search/ranked-search.js'
import type { Operation } from '../openapi/operation.js'
import { admitProblems, bodyProblems, searchProblems } from '../openapi/problems.js'
import { examplesOf } from '../openapi/example-queries.js'
import { reportPhases } from '../phases.js'
import { readQueryAndJson } from '../read-query.js'
import type { Guards, Route } from '../route.js'
import { filterOf } from '../schemas/filters.js'
import type { reading } from '../schemas/interpretation.js'
import { maxSynopsisLength, searchQuery, searchRequest, searchResponse } from '../schemas/search.js'
import type { AppServices } from '../services.js'

export function searchRoutes(
  { rankedSearch, settings }: Required<Pick<AppServices, 'rankedSearch' | 'settings'>>,
  { admit, work }: Guards,
): Route[] {
  return datasetNames.map((dataset) => ({
    group: 'search',
    method: 'POST',
    path: `/search/${dataset}`,
    operation: describe(dataset),
    guards: admit,
    async handler(c) {
      const { query, body } = await readQueryAndJson(
        c,
        searchQuery,
        searchRequest,
        settings.bodyLimit,
      )
      c.set('query', body.query)
      const begun = performance.now()
      const ranked = {
        dataset,
        query: body.query,
        numResults: body.num_results,
        batchSize: body.batch_size,
        candidates: query.candidates,
        includeLightNovels: query.include_light_novels,
        filter: filterOf(body, settings.adult),
        interpret: body.interpret,
        excludeListed: query.excludeListed,
        model: query.model_name,
        device: query.device,
      }
      const found = await work(c, () => rankedSearch.ranked(ranked, c.get('signal')))
      reportPhases(c, found.timings)
      return c.json(bodyOf(found, performance.now() - begun))
    },
  }))
}

function bodyOf(
  { results, deviceUsed, candidatesScored, entriesTotal, warnings, interpretation }: RankedAnswer,
  executionTimeMs: number,
): v.InferOutput<typeof searchResponse> {
  return {
    results: results.map(({ id, title, score, synopsis, ...status }) => {
      return { id, title, score, synopsis: shortened(synopsis), ...status }
    }),
    execution_time_ms: Math.round(executionTimeMs * 1000) / 1000,
    device_used: deviceUsed,
    candidates_scored: candidatesScored,
    entries_total: entriesTotal,
    ...(interpretation && { interpretation: bodyOfInterpretation(interpretation) }),
    ...(warnings.length > 0 && { warnings: [...warnings] }),
  }
}

/** Rows are positions in this server's catalogue, which mean nothing to a client. */
function bodyOfInterpretation({ readings, text, explained }: Interpretation) {
  const shown = readings.map((reading) =>
    Object.fromEntries(Object.entries(reading).filter(([name]) => name !== 'rows')),
  )
  return { readings: shown as v.InferOutput<typeof reading>[], text, explained }
}

/** Cuts between code points, so that no emoji is cut in half. */
function shortened(synopsis: string): string {
  let end = 0
  for (let characters = 0; characters < maxSynopsisLength; characters += 1) {
    if (end >= synopsis.length) return synopsis
    end += (synopsis.codePointAt(end) ?? 0) > 0xffff ? 2 : 1
  }
  return end < synopsis.length ? `${synopsis.slice(0, end)}…` : synopsis
}

function describe(dataset: DatasetName): Operation {
  const title = dataset === 'anime' ? 'Anime' : 'Manga'
  return {
    id: `search${title}`,
    tag: 'Search',
    summary: `${title} that match a query best`,
    description: `Two stages: similarity and words pick \`candidates\`, then a ranker reads the query
beside each synopsis of theirs. An entry's score is that of its best synopsis.`,
    query: searchQuery,
    body: { schema: searchRequest, examples: examplesOf(dataset, (query) => ({ query })) },
    responses: {
      200: {
        description: 'Entries, the best first.',
        headers: ['Server-Timing'],
        schema: searchResponse,
      },
    },
    problems: [...bodyProblems, ...admitProblems, ...searchProblems],
  }
}
