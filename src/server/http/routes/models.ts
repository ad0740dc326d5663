/** GET /models, and GET /models/{name} for one of them. */
import { NotFoundError } from '../../../base/errors/index.js'
import { suggestion } from '../../../base/util/suggest.js'
import type { ModelList } from '../../../models/registry/model-list.js'
import type { Operation } from '../openapi/operation.js'
import { admitProblems } from '../openapi/problems.js'
import { requireNoQuery } from '../read-query.js'
import { revalidatedJson } from '../revalidated-json.js'
import type { Guards, Route } from '../route.js'
import { modelDetails, modelNames, modelPath } from '../../schemas/model-responses.js'
import type { AppServices } from '../services.js'

export function modelRoutes(
  { modelList }: Pick<AppServices, 'modelList'>,
  { admit, work }: Guards,
): Route[] {
  return [
    {
      group: 'models',
      method: 'GET',
      path: '/models',
      operation: listing,
      guards: admit,
      async handler(c) {
        await requireNoQuery(c)
        return revalidatedJson(c, await work(c, () => modelList.all()))
      },
    },
    {
      group: 'models',
      method: 'GET',
      path: '/models/:name{.+}',
      operation: describing,
      guards: admit,
      async handler(c) {
        await requireNoQuery(c)
        const name = c.req.param('name') ?? ''
        const details = await work(c, () => modelList.details(name))
        if (details !== undefined) return revalidatedJson(c, details)
        const nearest = suggestion(name.slice(0, 100), await namesOf(modelList))
        throw new NotFoundError(`There is no such model${nearest || '; GET /models lists all.'}`)
      },
    },
  ]
}

async function namesOf(modelList: ModelList): Promise<string[]> {
  const { models, fine_tuned: fineTuned } = await modelList.all()
  return [...Object.values(models).flatMap(Object.keys), ...Object.values(fineTuned)]
}

const listing: Operation = {
  id: 'listModels',
  tag: 'Models',
  summary: 'All models that a request may name',
  description: 'Similarity models, cross-encoders and fine-tuned models, installed or not.',
  responses: { 200: { description: 'By category.', schema: modelNames } },
  problems: admitProblems,
}
const describing: Operation = {
  id: 'getModel',
  tag: 'Models',
  summary: 'Details of a model',
  description:
    'Whether its files are here, how long its vectors and its inputs are, what it takes on disk and in memory. ' +
    'Slashes of the name may stand as they are or as `%2F`.',
  path: modelPath,
  responses: { 200: { description: 'The model.', schema: modelDetails } },
  problems: [...admitProblems, 'not-found'],
}
