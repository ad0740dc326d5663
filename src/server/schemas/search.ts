/** POST /search/…: query, body and response. */
import * as v from 'valibot'
import { facetsEntry, sortEntry } from './orders.js'
import { entryMembers, fields, optionalEntryMembers } from './entry-members.js'
import { interpretation, ignoredSpans, matchedSpans, position } from './interpretation.js'
import { excluded, listEntries, listStatus } from './lists.js'
import { someFacets } from './facets.js'
import { titleLanguageEntry } from './title-language.js'
import { memories } from '../../search/service/ranked-search.js'
import { filterEntries, yearsInOrder, yearsNotInOrder } from './filters.js'
import {
  amount,
  asNumber,
  count,
  freeText,
  trimmedText,
  integer,
  maxResults,
  closedObject,
  text,
  textOrNull,
  texts,
  unlike,
} from './parts.js'
import { batchOf, oneOfMembers, oneOrAnswers, oneOrMany } from './batch.js'
import { isWithinReach, pagination } from './searchmodel.js'
import { maxResultWindow } from '../../search/service/pagination.js'
import { asBoolean } from '../../base/util/as-boolean.js'

const maxCandidates = 10_000
export const maxSynopsisLength = 500

const notADevice = unlike('cpu, cuda or cuda:N')
const notCandidates = unlike(`an integer from 1 to ${maxCandidates}, or all`)
/** A parameter arrives as text, or as several where it is repeated, which is none of these. */
export const searchQuery = closedObject({
  model_name: v.optional(
    v.pipe(
      v.string(unlike('one model')),
      v.nonEmpty('expected a model that GET /models lists, received none'),
      v.description(
        'A cross-encoder that GET /models lists, its label, or the label or path of a fine-tuned ' +
          "model; by default the server's `--cross-encoder`.",
      ),
    ),
  ),
  device: v.optional(
    v.pipe(
      v.string(notADevice),
      v.regex(/^(?:cpu|cuda(?::\d{1,3})?)$/, notADevice),
      v.description(
        '`cpu`, `cuda` or `cuda:N`; by default the best available. If it is not available, the CPU ' +
          'answers, and `device_used` and `warnings` say so.',
      ),
    ),
  ),
  include_light_novels: v.optional(
    v.pipe(
      v.unknown(),
      v.transform(asBoolean),
      v.boolean(unlike('true, false, 1 or 0')),
      v.description(
        'Whether light novels are searched too; only manga has any. A `type` that names them has them searched, ' +
          'and a query that is the title of a light novel finds it in any case.',
      ),
    ),
    false,
  ),
  candidates: v.optional(
    v.pipe(
      v.unknown(),
      v.transform(asNumber),
      v.union([integer(1, maxCandidates, notCandidates), v.literal('all')], notCandidates),
      v.description(
        'Entries that the ranker scores, picked by similarity and by words; `all` scores every entry.',
      ),
    ),
    100,
  ),
  ...listEntries,
  ...titleLanguageEntry,
})

/** Members of requests of one dataset and of all. */
const searchEntries = {
  num_results: v.optional(v.pipe(integer(1, maxResults), v.description('Number of results.')), 5),
  batch_size: v.optional(
    v.pipe(integer(8, 512), v.description('Pairs of query and synopsis scored at once.')),
    32,
  ),
  interpret: v.optional(
    v.pipe(
      v.boolean(unlike('true or false')),
      v.description(
        'Whether titles, works that the query names, facts and exclusions are read from it. All of them weigh; none hides a result.',
      ),
    ),
    true,
  ),
  ignore: v.optional(ignoredSpans),
  group: v.optional(
    v.pipe(
      v.literal('franchise', unlike('franchise')),
      v.description(
        '`franchise`: only the best entry of each franchise, with the others in `franchiseEntries`.',
      ),
    ),
  ),
  explain: v.optional(
    v.pipe(
      v.boolean(unlike('true or false')),
      v.description('Whether each result says why it matches.'),
    ),
    false,
  ),
  spoilers: v.optional(
    v.pipe(
      v.boolean(unlike('true or false')),
      v.description(
        'Whether results show texts that give an ending away. They are searched in any case.',
      ),
    ),
    false,
  ),
  fields: v.optional(fields),
  sort: sortEntry(
    'fit',
    'The order of the results: how well they fit, or the latest, best rated or best known first, of those that fit.',
  ),
  facets: facetsEntry,
  page: v.optional(
    v.pipe(
      integer(1, maxResultWindow),
      v.description(
        'Page of `num_results` results, from 1. Pages cover the entries that the ranker scores, ' +
          'see `candidates`; with it the response has `pagination`.',
      ),
    ),
  ),
}

export const searchRequest = v.pipe(
  oneOrMany(
    closedObject({
      query: v.optional(freeText('What the work is about')),
      queries: v.optional(batchOf('query')),
      ...searchEntries,
      exclude: v.optional(excluded),
      ...filterEntries,
    }),
    'query',
    'queries',
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
      ({ page = 1, num_results: resultsPerPage }) => isWithinReach({ page, resultsPerPage }),
      ({ input: { page = 1, num_results } }) =>
        `expected page * num_results to be at most ${maxResultWindow}, received ${page * num_results}`,
    ),
    ['page'],
  ),
  v.forward(
    v.check(
      ({ queries, ignore }) => queries === undefined || ignore === undefined,
      'expected with query alone, received with queries',
    ),
    ['ignore'],
  ),
  v.title('SearchRequest'),
  v.metadata(oneOfMembers('query', 'queries')),
)

/** Of all datasets, whose ids are not each other's. */
export const joinedRequest = v.pipe(
  closedObject({
    query: freeText('What the work is about'),
    datasets: v.exactOptional(
      v.pipe(
        v.array(trimmedText(40)),
        v.minLength(1, 'expected at least one dataset'),
        v.maxLength(100, 'expected at most 100 datasets'),
        v.description('Names of the datasets that are searched; all where absent.'),
        v.examples([['anime', 'manga']]),
      ),
    ),
    ...searchEntries,
    ...filterEntries,
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
      ({ page = 1, num_results: resultsPerPage }) => isWithinReach({ page, resultsPerPage }),
      ({ input: { page = 1, num_results } }) =>
        `expected page * num_results to be at most ${maxResultWindow}, received ${page * num_results}`,
    ),
    ['page'],
  ),
  v.title('JoinedSearchRequest'),
)

const share = (description: string) =>
  v.pipe(v.number(), v.minValue(0), v.maxValue(1), v.description(description))

const explanation = v.pipe(
  v.object({
    text: share('The score that its texts alone give.'),
    title: share('How nearly the whole query is one of its titles.'),
    fulfilled: share('How far it has the facts that the query requests.'),
    similar: share('How alike it is to the works that the query names.'),
    broken: share('How far it has what the query excludes.'),
    words: matchedSpans,
    facts: texts('Requested facts that it has, as the interpretation labels them.'),
    missing: texts('Requested facts that it lacks.'),
  }),
  v.title('RankedExplanation'),
  v.description('Why it matches.'),
)

const matchedText = v.pipe(
  v.object({
    column: text('The column of that text, such as `scenes`.', 'scenes'),
    text: textOrNull('Its line that matches best; null for a spoiler unless `spoilers` is true.'),
    spoiler: v.pipe(v.boolean(), v.description('Whether it gives the ending or a twist away.')),
    words: v.exactOptional(
      v.pipe(
        v.array(v.strictTuple([position, position])),
        v.description(
          'With `explain`: its words that match words of the query, like `words` there.',
        ),
      ),
    ),
  }),
  v.title('MatchedText'),
  v.description('The text that matches best, where that is not the synopsis.'),
)

export const franchiseEntry = v.pipe(
  v.object({
    id: v.pipe(v.number(), v.integer(), v.description('The entry; stable.')),
    title: text('Its title.'),
    type: entryMembers.type,
    year: entryMembers.year,
    relation: entryMembers.relation,
    place: entryMembers.place,
  }),
  v.title('FranchiseEntry'),
)

export const rankedEntry = v.object({
  id: v.pipe(v.number(), v.integer(), v.description('The entry; stable.')),
  title: text('Its title.'),
  score: v.pipe(
    v.number(),
    v.minValue(0),
    v.maxValue(1),
    v.description('How well it matches the query.'),
  ),
  synopsis: text(
    `Its synopsis; of several the one that matches best, if no other text matches better. After ` +
      `${maxSynopsisLength} characters cut, with … at the end; empty for an entry that has none.`,
  ),
  matched: v.exactOptional(matchedText),
  listStatus,
  ...optionalEntryMembers,
  column: v.exactOptional(textOrNull('The column of that synopsis; null if it has none.')),
  franchiseEntries: v.exactOptional(
    v.pipe(
      v.array(franchiseEntry),
      v.description('The other entries of its franchise, oldest first.'),
    ),
  ),
  explain: v.exactOptional(explanation),
})

/** Members of a response other than its results. */
export const searchAnswerEntries = {
  execution_time_ms: amount('Milliseconds that the search took.'),
  device_used: text('What the ranker ran on.', 'cpu'),
  candidates_scored: count('Entries that the ranker scored.'),
  entries_total: count('Entries that were searched.'),
  interpretation: v.optional(interpretation),
  pagination: v.optional(pagination),
  facets: v.optional(
    v.pipe(
      someFacets,
      v.description('With `facets`: values that results on all pages have, with their number.'),
    ),
  ),
  warnings: v.optional(
    v.pipe(
      v.array(v.string()),
      v.description('What differs from the request; absent if nothing does.'),
    ),
  ),
}

const nothingFits = v.optional(
  v.pipe(
    v.object({
      remember: v.pipe(
        v.array(v.picklist(memories)),
        v.description(
          'What would help and the query does not say: when it began, where it was shown, one object.',
        ),
      ),
    }),
    v.description('Present if nothing fits well; the results come nearest.'),
  ),
)

const language = v.optional(
  v.pipe(
    v.object({
      code: v.pipe(v.string(), v.description('ISO 639-1.'), v.examples(['es'])),
      name: v.pipe(v.string(), v.description('In English.'), v.examples(['Spanish'])),
      encoder: v.pipe(
        v.nullable(v.string()),
        v.description(
          'The model that compares the query; null where the server has none for it: English works best then.',
        ),
      ),
      remedy: v.optional(v.pipe(v.string(), v.description('The command that adds such a model.'))),
    }),
    v.description('Present if the query is certainly in another language than English.'),
  ),
)

export const searchResponse = v.pipe(
  v.object({
    results: v.pipe(
      v.array(
        v.pipe(
          rankedEntry,
          v.title('RankedEntry'),
          v.examples([
            {
              id: 1535,
              title: 'Death Note',
              score: 0.999443383491412,
              synopsis:
                'Light Yagami, a brilliant and bored high school student in Tokyo, finds a ' +
                'notebook that kills anyone whose name he writes in it. Ryuk, the death god ' +
                'who dropped it, follows him out of curiosity. Light begins to kill ' +
                'criminals and plans to rule a new world under the name Kira. The police, ' +
                "led by Light's father, ask the eccentric detective L for help. L soon " +
                'suspects Light, and each of the two tries to unmask the other.',
            },
          ]),
        ),
      ),
      v.description('By score, highest first.'),
    ),
    ...searchAnswerEntries,
    nothingFits,
    language,
  }),
  v.title('SearchAnswer'),
)

export const joinedResponse = v.pipe(
  v.object({
    results: v.pipe(
      v.array(
        v.pipe(
          v.object({ dataset: text('The dataset.', 'anime'), ...rankedEntry.entries }),
          v.title('JoinedEntry'),
        ),
      ),
      v.description('Of all datasets in one order.'),
    ),
    ...searchAnswerEntries,
    nothingFits,
    language,
  }),
  v.title('JoinedSearchAnswer'),
)

/** With `queries` there is an answer for each. */
export const searchResponses = oneOrAnswers(searchResponse, 'Search')
