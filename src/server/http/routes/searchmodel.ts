/** POST /searchmodel/anime and /searchmodel/manga: description similarity by a named model. */
import type { DatasetName } from '../../../data/catalogue/catalogue.js'
import { maxResultWindow } from '../../../search/service/pagination.js'
import { titleOf } from '../openapi/dataset-title.js'
import type { Operation } from '../openapi/operation.js'
import { admitProblems, bodyProblems, searchProblems } from '../openapi/problems.js'
import { examplesOf } from '../openapi/example-queries.js'
import { reportPhases } from '../phases.js'
import { readQueryAndJson } from '../read-query.js'
import type { Guards, Route } from '../route.js'
import { filterOf } from '../../schemas/filters.js'
import { listQuery } from '../../schemas/lists.js'
import { searchModelRequest, searchModelResponses } from '../../schemas/searchmodel.js'
import { inTurns } from '../../../native/scheduling/in-turns.js'
import type { DescriptionAnswer } from '../../../search/service/service.js'
import { answerEach, type FailedText } from '../batch-answers.js'
import type { EntryJson } from '../entry-json.js'
import { hydrate, joinAnswers, searchJson } from '../search-json.js'
import type { AppServices } from '../services.js'

export function searchModelRoutes(
  {
    search,
    entries,
    models,
    settings,
    logger,
    datasets,
  }: Pick<AppServices, 'search' | 'entries' | 'models' | 'settings' | 'logger' | 'datasets'>,
  { admit, work, charge }: Guards,
): Route[] {
  const schema = searchModelRequest(models)
  return datasets.map((dataset) => ({
    group: 'searchmodel',
    method: 'POST',
    path: `/searchmodel/${dataset}`,
    operation: describe(dataset, schema, models[0] ?? ''),
    guards: admit,
    async handler(c) {
      const { query, body } = await readQueryAndJson(c, listQuery, schema, settings.bodyLimit)
      c.set('query', body.descriptions ?? body.description)
      const options = {
        dataset,
        model: body.model,
        page: body.page,
        resultsPerPage: body.resultsPerPage,
        mode: body.mode,
        filter: filterOf(body, settings.adult),
        excludeListed: query.excludeListed,
      }
      const { description = '', descriptions } = body
      if (descriptions === undefined) {
        const found = await work(c, async () => {
          const answer = await search.similar({ ...options, description }, c.get('signal'))
          return hydrated(entries, answer)
        })
        reportPhases(c, found.timings)
        return c.body(bytesOf(found), 200, json)
      }
      await charge('searchmodel', c, descriptions.length)
      const answers = await answerEach(c, {
        member: 'descriptions',
        texts: descriptions,
        logger,
        answer: (texts) =>
          work(
            c,
            async () => {
              const query = { ...options, descriptions: texts }
              const found = await search.similarToEach(query, c.get('signal'))
              const hydratedOrError = (each: DescriptionAnswer | Error) =>
                each instanceof Error ? each : hydrated(entries, each)
              return inTurns(found, hydratedOrError, c.get('signal'))
            },
            texts.length,
          ),
      })
      const [sound] = answers.flatMap((answer) => ('error' in answer ? [] : [answer]))
      if (sound !== undefined) reportPhases(c, sound.timings)
      return c.body(joinAnswers(answers.map(bytesOf)), 200, json)
    },
  }))
}

const json = { 'Content-Type': 'application/json' }

/** An answer with the members of its entries. */
type HydratedAnswer = ReturnType<typeof hydrated>
const hydrated = (entries: EntryJson, found: DescriptionAnswer) => ({
  ...found,
  ...hydrate(entries, found),
})

function bytesOf(answer: HydratedAnswer | FailedText): Uint8Array<ArrayBuffer> {
  if ('error' in answer) return Buffer.from(JSON.stringify(answer))
  const { results, members, pagination, meta, timings } = answer
  const { model, mode, dataset, device, notes } = meta
  return searchJson(results, members, pagination, { model, mode, dataset, device, timings, notes })
}

function describe(
  dataset: DatasetName,
  schema: ReturnType<typeof searchModelRequest>,
  model: string,
): Operation {
  const title = titleOf(dataset)
  return {
    id: `searchModel${title}`,
    tag: 'Description similarity',
    summary: `${title} most similar to a description`,
    description: `Compares the description with every synopsis of every source, by the cosine of their
vectors. An entry appears once, by its best synopsis. Pages are slices of one total order: no entry
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
        description: 'A page of entries, the most similar first; with `descriptions` one for each.',
        headers: ['Server-Timing'],
        schema: searchModelResponses,
      },
    },
    problems: [...bodyProblems, ...admitProblems, ...searchProblems],
  }
}
