/** POST /search/anime and /search/manga: search by a ranker that reads query and synopsis together. */
import type * as v from 'valibot'
import type { DatasetName } from '../../../data/catalogue/catalogue.js'
import { shownTitle, type TitleLanguage } from '../../../data/catalogue/shown-title.js'
import type { someFacets } from '../../schemas/facets.js'
import type { Interpretation, Span } from '../../../search/reader/interpretation.js'
import type { RankedAnswer, RankedResult } from '../../../search/service/ranked-search.js'
import type { MatchedText } from '../../../search/service/shown-texts.js'
import { createMembersOf, type MembersOf, pickMembers } from '../entry-members.js'
import { titleOf } from '../openapi/dataset-title.js'
import type { Operation } from '../openapi/operation.js'
import { admitProblems, bodyProblems, searchProblems } from '../openapi/problems.js'
import { examplesOf } from '../openapi/example-queries.js'
import { reportPhases } from '../phases.js'
import { readQueryAndJson } from '../read-query.js'
import type { Guards, Route } from '../route.js'
import { filterOf } from '../../schemas/filters.js'
import { membersOfReading, type reading } from '../../schemas/interpretation.js'
import { inTurns } from '../../../native/scheduling/in-turns.js'
import { answerEach } from '../batch-answers.js'
import { joinAnswers } from '../search-json.js'
import {
  maxSynopsisLength,
  searchQuery,
  searchRequest,
  searchResponses,
  type searchResponse,
} from '../../schemas/search.js'
import type { AppServices } from '../services.js'

export function searchRoutes(
  {
    rankedSearch,
    settings,
    logger,
    datasets,
  }: Required<Pick<AppServices, 'rankedSearch' | 'settings' | 'logger' | 'datasets'>>,
  { admit, work, charge }: Guards,
): Route[] {
  const membersOf = createMembersOf()
  return datasets.map((dataset) => ({
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
      c.set('query', body.queries ?? body.query)
      const begun = performance.now()
      const options = {
        dataset,
        numResults: body.num_results,
        batchSize: body.batch_size,
        candidates: query.candidates,
        includeLightNovels: query.include_light_novels,
        filter: filterOf(body, settings.adult),
        interpret: body.interpret,
        group: body.group,
        explain: body.explain,
        spoilers: body.spoilers,
        page: body.page,
        excludeListed: query.excludeListed,
        exclude: body.exclude,
        sort: body.sort,
        facets: body.facets,
        model: query.model_name,
        device: query.device,
      }
      const signal = c.get('signal')
      const shown = (found: RankedAnswer) =>
        searchBody(dataset, { ...body, ...query }, found, membersOf, performance.now() - begun)
      const { query: text = '', queries } = body
      if (queries === undefined) {
        const ignore = body.ignore?.map(([begin, end]) => ({ begin, end }))
        const ranked = { ...options, query: text, ignore }
        const found = await work(c, () => rankedSearch.ranked(ranked, signal))
        reportPhases(c, found.timings)
        return c.json(shown(found))
      }
      await charge('search', c, queries.length)
      const answers = await answerEach(c, {
        member: 'queries',
        texts: queries,
        logger,
        answer: (texts) =>
          work(
            c,
            () => rankedSearch.rankedEach({ ...options, queries: texts }, signal),
            texts.length,
          ),
      })
      const sound = answers.flatMap((answer) => ('error' in answer ? [] : [answer]))
      const last = sound.sort((one, other) => other.timings.totalMs - one.timings.totalMs)[0]
      if (last !== undefined) reportPhases(c, last.timings)
      // In turns, as the text of many answers takes a while.
      const write = (each: (typeof answers)[number]) =>
        encoder.encode(JSON.stringify('error' in each ? each : shown(each)))
      const bodies = await inTurns(answers, write, signal)
      return c.body(joinAnswers(bodies), 200, { 'Content-Type': 'application/json' })
    },
  }))
}

const encoder = new TextEncoder()

type SearchRequest = v.InferOutput<typeof searchRequest>

type ShownOptions = Pick<SearchRequest, 'fields' | 'page'> & { readonly titles: TitleLanguage }

/** @param datasets that of all results, or that of each */
export function searchBody(
  datasets: DatasetName | readonly DatasetName[],
  { fields = [], page, titles }: ShownOptions,
  answer: RankedAnswer,
  membersOf: MembersOf,
  executionTimeMs: number,
): v.InferOutput<typeof searchResponse> {
  const { results, deviceUsed, candidatesScored, entriesTotal, warnings, interpretation } = answer
  const datasetAt = (at: number) =>
    typeof datasets === 'string' ? datasets : (datasets[at] ?? 'anime')
  const wantsColumn = fields === 'all' || fields.includes('column')
  return {
    results: results.map((result, at) => ({
      ...ownMembers(result, titles),
      ...pickMembers(membersOf(datasetAt(at), result.entry, result.popularityRank), fields),
      ...(wantsColumn && { column: result.column }),
      ...(result.franchiseEntries && {
        franchiseEntries: result.franchiseEntries.map((entry) => {
          const { type, year, relation, place } = membersOf(datasetAt(at), entry)
          return { id: entry.id, title: shownTitle(entry, titles), type, year, relation, place }
        }),
      }),
    })),
    execution_time_ms: Math.round(executionTimeMs * 1000) / 1000,
    device_used: deviceUsed,
    candidates_scored: candidatesScored,
    entries_total: entriesTotal,
    ...(interpretation && { interpretation: bodyOfInterpretation(interpretation) }),
    ...(answer.nothingFits && { nothingFits: { remember: [...answer.nothingFits.remember] } }),
    ...(answer.language && { language: { ...answer.language } }),
    ...(page !== undefined && { pagination: answer.pagination }),
    ...(answer.facets && { facets: answer.facets as v.InferOutput<typeof someFacets> }),
    ...(warnings.length > 0 && { warnings: [...warnings] }),
  }
}

/** What a result has whatever the request names. */
function ownMembers(result: RankedResult, titles: TitleLanguage) {
  const { id, entry, score, synopsis, matched, listStatus, explain } = result
  const shown = shortened(synopsis)
  const isShown = ({ end }: Span) => shown === synopsis || end < shown.length
  return {
    id,
    title: shownTitle(entry, titles),
    score,
    synopsis: shown,
    ...(matched && { matched: bodyOfMatched(matched) }),
    ...(listStatus !== undefined && { listStatus }),
    ...(explain && {
      explain: {
        ...explain,
        facts: [...explain.facts],
        missing: [...explain.missing],
        words: pairsOf(explain.words.filter(isShown)),
      },
    }),
  }
}

/** Lines of remembered texts are short; a cut one has no words that were cut off. */
function bodyOfMatched({ column, text, spoiler, words }: MatchedText) {
  const shown = text && shortened(text)
  const isShown = ({ end }: Span) => shown === text || end < (shown?.length ?? 0)
  return { column, text: shown, spoiler, ...(words && { words: pairsOf(words.filter(isShown)) }) }
}

const pairsOf = (spans: readonly Span[]) =>
  spans.map(({ begin, end }) => [begin, end] as [number, number])

/** Rows are positions in this server's catalogue: they mean nothing to a client. */
function bodyOfInterpretation({ readings, text, explained, unknownNames }: Interpretation) {
  const shown = readings.map((reading) => {
    const members = membersOfReading(reading.kind)
    return Object.fromEntries(Object.entries(reading).filter(([name]) => members.includes(name)))
  })
  return {
    readings: shown as v.InferOutput<typeof reading>[],
    text,
    explained,
    ...(unknownNames && { unknownNames: [...unknownNames] }),
  }
}

/** Cuts between code points, so that no emoji is cut in half. */
export function shortened(synopsis: string): string {
  let end = 0
  for (let characters = 0; characters < maxSynopsisLength; characters += 1) {
    if (end >= synopsis.length) return synopsis
    end += (synopsis.codePointAt(end) ?? 0) > 0xffff ? 2 : 1
  }
  return end < synopsis.length ? `${synopsis.slice(0, end)}…` : synopsis
}

function describe(dataset: DatasetName): Operation {
  const title = titleOf(dataset)
  return {
    id: `search${title}`,
    tag: 'Search',
    summary: `${title} that match a query best`,
    description: `Two stages: similarity and words pick \`candidates\`, then a ranker reads the query
with each synopsis of theirs. An entry's score is that of its best synopsis.`,
    query: searchQuery,
    body: { schema: searchRequest, examples: examplesOf(dataset, (query) => ({ query })) },
    responses: {
      200: {
        description: 'Entries, the best first; with `queries` an answer for each.',
        headers: ['Server-Timing'],
        schema: searchResponses,
      },
    },
    problems: [...bodyProblems, ...admitProblems, ...searchProblems],
  }
}
