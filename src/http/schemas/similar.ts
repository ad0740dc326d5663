/** GET /similar/…: path, query and response. */
import * as v from 'valibot'
import { datasetNames } from '../../catalogue/catalogue.js'
import { builtinModel } from '../../models/registry.js'
import { maxResultWindow } from '../../search/pagination.js'
import { asBoolean } from '../../util/as-boolean.js'
import { asNumber, count, integer, maxResults, text, unlike } from './parts.js'
import { isWithinReach, modelName, notWithinReach, pagination, result } from './searchmodel.js'

export const similarPath = {
  id: v.pipe(
    v.number(),
    v.integer(),
    v.description('The id of an entry of the dataset.'),
    v.examples([1]),
  ),
}

const countInText = (most: number, description: string, fallback: number) =>
  v.optional(
    v.pipe(
      v.unknown(),
      v.transform(asNumber),
      integer(1, most, unlike(`an integer from 1 to ${most}`)),
      v.description(description),
    ),
    fallback,
  )

/** @param models names of the allowed models */
export const similarQuery = (models: readonly string[]) =>
  v.pipe(
    v.object({
      model: v.optional(modelName(models), builtinModel),
      page: countInText(maxResultWindow, 'Page, from 1.', 1),
      resultsPerPage: countInText(maxResults, 'Results on a page.', 10),
      adult: v.optional(
        v.pipe(
          v.unknown(),
          v.transform(asBoolean),
          v.boolean(unlike('true, false, 1 or 0')),
          v.description(
            "Whether works for adults are among the results; by default the server's `--adult`.",
          ),
        ),
      ),
    }),
    v.forward(
      v.check(
        (request) => isWithinReach(request),
        ({ input }) => notWithinReach(input),
      ),
      ['page'],
    ),
  )

export const similarResponse = v.pipe(
  v.object({
    results: v.pipe(
      v.array(result),
      v.description('By the similarity of the nearest pair of synopses; empty past the last page.'),
    ),
    pagination,
    meta: v.object({
      model: text('The model whose vectors were compared.', builtinModel),
      dataset: v.picklist(datasetNames),
      id: count('The entry that the others are compared with.'),
    }),
  }),
  v.title('SimilarAnswer'),
)
