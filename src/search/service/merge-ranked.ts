/** Answers of several searches with one query as one answer, in one order. */
import { toMicroseconds } from '../../base/util/microseconds.js'
import { mergeFacets } from '../browse/merge-facets.js'
import { sliceOf } from './pagination.js'
import type { RankedAnswer, RankedOptions, RankedResult, ResultOrder } from './ranked-search.js'

interface MergeOptions extends Pick<RankedOptions, 'numResults' | 'facets'> {
  readonly page: number
  readonly sort: ResultOrder
}

type AnswerOf<Result extends RankedResult> = Omit<RankedAnswer, 'results'> & {
  readonly results: readonly Result[]
}

/**
 * What is read from the query is that of the first answer; `best` is the first result of all pages.
 * @param answers with the results of all pages up to this one
 * @param begun when the search began
 */
export function mergeRanked<Result extends RankedResult>(
  answers: readonly AnswerOf<Result>[],
  { page, numResults, sort, facets }: MergeOptions,
  begun: number,
): AnswerOf<Result> & { readonly best: Result | undefined } {
  const all = inOneOrder(
    answers.flatMap(({ results }) => results),
    sort,
    ({ score, sortedBy }) => (sort.by === 'fit' ? score : sortedBy),
  )
  const sum = (of: (answer: AnswerOf<Result>) => number) =>
    answers.reduce((total, answer) => total + of(answer), 0)
  const total = sum(({ pagination }) => pagination.totalResults)
  const { pagination, begin, end } = sliceOf(page, numResults, total)
  const [first] = answers
  const language = answers.find((answer) => answer.language)?.language
  const nothingFits = answers.every((answer) => answer.nothingFits) && first?.nothingFits
  return {
    best: all[0],
    results: all.slice(begin, end),
    pagination,
    ...(facets && { facets: mergeFacets(answers.flatMap((answer) => answer.facets ?? [])) }),
    ...(first?.interpretation && { interpretation: first.interpretation }),
    ...(nothingFits && { nothingFits }),
    ...(language && { language }),
    deviceUsed: first?.deviceUsed ?? 'cpu',
    candidatesScored: sum((answer) => answer.candidatesScored),
    entriesTotal: sum((answer) => answer.entriesTotal),
    warnings: [...new Set(answers.flatMap(({ warnings }) => warnings))],
    timings: {
      rankMs: sum(({ timings }) => timings.rankMs),
      rerankMs: sum(({ timings }) => timings.rerankMs),
      hydrateMs: sum(({ timings }) => timings.hydrateMs),
      totalMs: toMicroseconds(performance.now() - begun),
    },
  }
}

/** What is not known comes last; equal ones stay in their order. */
export function inOneOrder<T>(
  items: readonly T[],
  { ascending }: ResultOrder,
  valueOf: (item: T) => number | undefined,
): readonly T[] {
  const sign = ascending === true ? 1 : -1
  return items.toSorted((one, other) => {
    const [a = NaN, b = NaN] = [valueOf(one), valueOf(other)]
    if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b))
    return sign * (a - b)
  })
}
