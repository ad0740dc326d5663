/** POST /searchmodel/…: one schema a message validates, types and documents it. */
import * as v from 'valibot'
import { searchModes, type SearchMode } from '../../search/service/modes.js'
import { maxResultWindow } from '../../search/service/pagination.js'
import type { SearchJson } from './search-body.js'
import { batchOf, oneOfMembers, oneOrAnswers, oneOrMany } from './batch.js'
import { listStatus } from './lists.js'
import { modelName } from './model-name.js'
import { filterEntries, yearsInOrder, yearsNotInOrder } from './filters.js'
import {
  amount,
  count,
  freeText,
  integer,
  maxResults,
  closedObject,
  text,
  textOrNull,
  texts,
  unlike,
} from './parts.js'

/** @param models names of the allowed models */
export function searchModelRequest(models: readonly string[]) {
  return v.pipe(
    oneOrMany(
      closedObject({
        model: v.optional(modelName(models)),
        description: v.optional(freeText('What the work is about')),
        descriptions: v.optional(batchOf('description')),
        ...paging,
        mode,
        ...filterEntries,
      }),
      'description',
      'descriptions',
    ),
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
    v.forward(
      v.check((request) => namesModel(request), 'required'),
      ['model'],
    ),
    v.title('SearchModelRequest'),
    v.description('A description, and the model by which to compare it; none in the lexical mode.'),
    v.metadata({
      if: { properties: { mode: { const: 'lexical' } }, required: ['mode'] },
      // That the model is a member is said again for linters, which know no condition next to the members.
      else: { properties: { model: {} }, required: ['model'], additionalProperties: true },
      ...oneOfMembers('description', 'descriptions'),
    }),
  )
}

/** Words are compared without a model. */
const namesModel = ({
  model,
  mode,
}: {
  readonly model?: string | undefined
  readonly mode: SearchMode
}) => model !== undefined || mode === 'lexical'

interface Page {
  readonly page: number
  readonly resultsPerPage: number
}
export const isWithinReach = ({ page, resultsPerPage }: Page): boolean =>
  page * resultsPerPage <= maxResultWindow
export const notWithinReach = ({ page, resultsPerPage }: Page): string =>
  `expected page * resultsPerPage to be at most ${maxResultWindow}, received ${page * resultsPerPage}`

const paging = {
  page: v.optional(v.pipe(integer(1, maxResultWindow), v.description('Page, from 1.')), 1),
  resultsPerPage: v.optional(
    v.pipe(integer(1, maxResults), v.description('Results on a page.')),
    10,
  ),
}

const mode = v.optional(
  v.pipe(
    v.picklist(searchModes, unlike(`one of ${searchModes.join(', ')}`)),
    v.description(
      '`semantic`: by the similarity of vectors. `lexical`: by words (bm25); needs no model. ' +
        '`hybrid`: both orders, the first 10000 of each, fused by reciprocal rank.',
    ),
  ),
  'semantic',
)

const rankAndScore = v.nullable(
  v.object({
    rank: count('Rank in the list, from 1.'),
    score: amount('Cosine or bm25.'),
  }),
)
const explanation = v.object({
  semantic: v.pipe(
    rankAndScore,
    v.description('By similarity; null if it is not among the first.'),
  ),
  lexical: v.pipe(rankAndScore, v.description('By words; null if it contains none of them.')),
  fused: v.pipe(
    v.nullable(v.number()),
    v.description('The sum of 1 / (60 + rank) over both; null where there is one list only.'),
  ),
})

export const result = v.pipe(
  v.looseObject({
    rank: count('Rank in the whole order, from 1 over all pages.'),
    similarity: v.pipe(
      v.nullable(v.number()),
      v.description(
        'Cosine of the description and the best synopsis, -1 to 1; null if only words found it.',
      ),
    ),
    explain: v.exactOptional(
      v.pipe(explanation, v.description('What the rank is made of; absent in the semantic mode.')),
    ),
    column: text('The source of that synopsis.'),
    synopsis: textOrNull('That synopsis.'),
    id: v.pipe(v.number(), v.integer(), v.description('The entry; stable.')),
    title: text('Its title.'),
    type: textOrNull('Such as `tv`, `movie`, `manga` or `light_novel`.'),
    genres: texts('Its genres.'),
    year: v.pipe(v.nullable(v.pipe(v.number(), v.integer())), v.description('When it began.')),
    score: v.pipe(
      v.nullable(v.number()),
      v.description('Average rating by users of its site, 0 to 10.'),
    ),
    alternativeTitles: v.exactOptional(texts('Its other titles.')),
    studios: v.exactOptional(texts('Studios that made it.')),
    authors: v.exactOptional(texts('Its authors.')),
    magazines: v.exactOptional(texts('Magazines or sites in which it ran.')),
    franchise: v.exactOptional(textOrNull('A key that all works of its franchise share.')),
    tags: v.exactOptional(
      v.pipe(
        v.record(v.string(), v.picklist([1, 2, 3])),
        v.description(
          'Keys of the vocabulary with weights: 3, the work is about it; 2, clearly there; 1, a touch.',
        ),
      ),
    ),
    listStatus,
  }),
  v.title('SimilarEntry'),
  v.description('An entry, with what else the catalogue knows of it under names of its own.'),
  v.examples([
    {
      rank: 1,
      similarity: 0.5958232879638672,
      column: 'synopsis',
      synopsis:
        'Light Yagami, a brilliant and bored high school student in Tokyo, finds a ' +
        'notebook that kills anyone whose name he writes in it. Ryuk, the death god who ' +
        'dropped it, follows him out of curiosity. Light begins to kill criminals and ' +
        "plans to rule a new world under the name Kira. The police, led by Light's " +
        'father, ask the eccentric detective L for help. L soon suspects Light, and ' +
        'each of the two tries to unmask the other.',
      id: 1535,
      title: 'Death Note',
      type: 'tv',
      genres: ['Supernatural', 'Suspense'],
      year: 2006,
      score: null,
      episodes: 37,
      studios: ['Madhouse'],
    },
  ]),
)

export const pagination = v.pipe(
  v.object({
    page: count('The page.'),
    resultsPerPage: count('Results on a page.'),
    totalResults: count('Entries that can be found, by this model and mode, with this filter.'),
    totalPages: count(
      `Pages that can be requested: those within the first ${maxResultWindow} results.`,
    ),
    reachableResults: count(
      'Results on these pages; fewer than totalResults where that is larger.',
    ),
  }),
  v.title('Pagination'),
  v.examples([
    { page: 1, resultsPerPage: 5, totalResults: 185, totalPages: 37, reachableResults: 185 },
  ]),
)

const timings = v.pipe(
  v.object({
    queueMs: amount('Waiting for the model.'),
    tokenizeMs: amount('Text to tokens.'),
    inferMs: amount('Tokens to a vector.'),
    scanMs: amount('The vector against every synopsis.'),
    hydrateMs: amount('Reading the entries.'),
    totalMs: amount('All of it.'),
  }),
  v.title('Timings'),
  v.description('Milliseconds of each phase.'),
  v.examples([
    {
      queueMs: 0.02,
      tokenizeMs: 0.21,
      inferMs: 0.35,
      scanMs: 0.09,
      hydrateMs: 0.05,
      totalMs: 0.74,
    },
  ]),
)

const searchModelResponse: v.GenericSchema<SearchJson> = v.pipe(
  v.object({
    results: v.pipe(
      v.array(result),
      v.description('In the order of the mode; empty past the last page.'),
    ),
    pagination,
    meta: v.object({
      model: textOrNull('The model that compared; null for the lexical mode without a model.'),
      mode: v.picklist(searchModes),
      dataset: text('The dataset.', 'anime'),
      device: text('What the model ran on.', 'cpu'),
      timings,
      notes: v.exactOptional(texts('What differs from the request; absent if nothing does.')),
    }),
  }),
  v.title('SearchModelAnswer'),
)

/** With `descriptions` there is an answer for each. */
export const searchModelResponses = oneOrAnswers(searchModelResponse, 'SearchModel')
