/** GET /similar/…: path, query and response. */
import * as v from 'valibot'
import { builtinModel } from '../../models/registry/registry.js'
import { maxResultWindow } from '../../search/service/pagination.js'
import { asBoolean } from '../../base/util/as-boolean.js'
import { maxNameLength, maxNames, yearsInOrder, yearsNotInOrder } from './filters.js'
import {
  asNumber,
  closedObject,
  count,
  integer,
  maxResults,
  text,
  texts,
  trimmedText,
  unlike,
} from './parts.js'
import { modelName } from './model-name.js'
import { listEntries } from './lists.js'
import { titleLanguageEntry } from './title-language.js'
import { isWithinReach, notWithinReach, pagination, result } from './searchmodel.js'

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

const namesInText = (what: string, description: string) =>
  v.optional(
    v.pipe(
      v.unknown(),
      v.transform((value) => (Array.isArray(value) ? (value as unknown[]) : [value])),
      v.array(trimmedText(maxNameLength)),
      v.maxLength(maxNames, `expected at most ${maxNames} ${what}`),
      v.description(description),
    ),
  )

const booleanInText = (description: string) =>
  v.pipe(
    v.unknown(),
    v.transform(asBoolean),
    v.boolean(unlike('true, false, 1 or 0')),
    v.description(description),
  )

const yearInText = (description: string) =>
  v.optional(
    v.pipe(
      v.unknown(),
      v.transform(asNumber),
      integer(1, 9999, unlike('an integer from 1 to 9999')),
      v.description(description),
    ),
  )

const notAScore = unlike('a number from 0 to 10')

/** @param models names of the allowed models */
export const similarQuery = (models: readonly string[]) =>
  v.pipe(
    closedObject({
      model: v.optional(modelName(models), builtinModel),
      page: countInText(maxResultWindow, 'Page, from 1.', 1),
      resultsPerPage: countInText(maxResults, 'Results on a page.', 10),
      sameFranchise: v.optional(
        booleanInText('Whether entries of its own franchise may be results.'),
        false,
      ),
      type: namesInText('types', 'One of these types; repeat it for several.'),
      genres: namesInText('genres', 'All of these genres; repeat it for several.'),
      yearFrom: yearInText('The first year in which it may have begun.'),
      yearTo: yearInText('The last year in which it may have begun.'),
      minScore: v.optional(
        v.pipe(
          v.unknown(),
          v.transform((word) => (word === '' ? NaN : Number(word))),
          v.number(notAScore),
          v.minValue(0, notAScore),
          v.maxValue(10, notAScore),
          v.description('The lowest average rating that it may have.'),
        ),
      ),
      adult: v.optional(
        booleanInText(
          "Whether works for adults are among the results; by default the server's `--adult`.",
        ),
      ),
      ...listEntries,
      ...titleLanguageEntry,
    }),
    v.forward(
      v.check(
        (request) => yearsInOrder(request),
        ({ input }) => yearsNotInOrder(input),
      ),
      ['yearFrom'],
    ),
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
      v.description('The most alike first; empty past the last page.'),
    ),
    pagination,
    meta: v.object({
      model: text('The model whose vectors were compared.', builtinModel),
      dataset: text('The dataset.', 'anime'),
      id: count('The entry that the others are compared with.'),
      notes: v.exactOptional(
        texts('Values of the filter that no entry has, and lists that could not be read.'),
      ),
    }),
  }),
  v.title('SimilarAnswer'),
)
