/** POST /searchmodel/…: one schema a message validates, types and documents it. */
import * as v from 'valibot'
import { deepestRank } from '../../search/pagination.js'
import { suggestion } from '../../suggest.js'
import { freeText, integer, kindOf, mostResults, notAnObject } from './parts.js'

export type SearchModelRequest = v.InferOutput<ReturnType<typeof searchModelRequest>>

/** @param models names of the allowed models */
export function searchModelRequest(models: readonly string[]) {
  return v.pipe(
    v.object(
      { model: modelName(models), description: freeText('What the work is about'), ...paging },
      notAnObject,
    ),
    v.forward(
      v.check(
        (request) => request.page * request.resultsPerPage <= deepestRank,
        `expected page * resultsPerPage to be at most ${deepestRank}`,
      ),
      ['page'],
    ),
    v.title('SearchModelRequest'),
    v.description('A description, and the model by which to compare it.'),
  )
}

const modelName = (models: readonly string[]) =>
  v.pipe(
    v.picklist(models, ({ input }) => {
      const received = typeof input === 'string' ? input.slice(0, 100) : kindOf(input)
      const nearest = typeof input === 'string' ? suggestion(received, models) : ''
      return `expected one of ${models.join(', ')}; received ${received}${nearest}`
    }),
    v.description('Name of the model, exactly as GET /models lists it.'),
  )

const paging = {
  page: v.optional(v.pipe(integer(1, deepestRank), v.description('Page, from 1.')), 1),
  resultsPerPage: v.optional(
    v.pipe(integer(1, mostResults), v.description('Results on a page.')),
    10,
  ),
}
