/** POST /feedback/anime and /feedback/manga: which result was the right one. Only with `--feedback`. */
import type { DatasetName } from '../../../data/catalogue/catalogue.js'
import { NotFoundError } from '../../../base/errors/index.js'
import { queriesOf } from '../openapi/example-queries.js'
import { titleOf } from '../openapi/dataset-title.js'
import type { Operation } from '../openapi/operation.js'
import { admitProblems, bodyProblems } from '../openapi/problems.js'
import { readJson } from '../read-json.js'
import type { Guards, Route } from '../route.js'
import { feedbackRequest, feedbackResponse } from '../../schemas/feedback.js'
import type { AppServices } from '../services.js'

export function feedbackRoutes(
  {
    browse,
    feedback,
    settings,
    datasets,
  }: Pick<AppServices, 'browse' | 'feedback' | 'settings' | 'datasets'>,
  { admit, work }: Guards,
): Route[] {
  if (feedback === undefined) return []
  return datasets.map((dataset) => ({
    group: 'feedback',
    method: 'POST',
    path: `/feedback/${dataset}`,
    operation: describe(dataset),
    guards: admit,
    async handler(c) {
      const choice = await readJson(c, feedbackRequest, settings.bodyLimit)
      await work(c, async () => {
        if ((await browse.entry(dataset, choice.work)) === undefined) {
          throw new NotFoundError(`There is no ${dataset} with this id.`)
        }
        await feedback.keep({ dataset, ...choice })
      })
      return c.json({ kept: true })
    },
  }))
}

function describe(dataset: DatasetName): Operation {
  const title = titleOf(dataset)
  return {
    id: `confirm${title}`,
    tag: 'Search',
    summary: `Keep which ${dataset} was the right result of a search`,
    description:
      'The server keeps the query, the entry, its rank and the day in the file of `--feedback`, and ' +
      'nothing of the client. `synoptic eval --descriptions FILE` measures searches on that file.',
    body: {
      schema: feedbackRequest,
      examples: Object.fromEntries(
        queriesOf(dataset).map(({ text, finds }) => [
          finds,
          { summary: `Looked for ${finds}`, value: { query: text, work: 1, rank: 1 } },
        ]),
      ),
    },
    responses: { 200: { description: 'It is kept.', schema: feedbackResponse } },
    problems: [...bodyProblems, ...admitProblems, 'not-found', 'dataset-missing'],
  }
}
