/** Fits the weights of what is read from a query (FitWeights) to queries whose answers are known. */
import type { OpenSearch } from '../composition/open-search.js'
import { DatasetMissingError } from '../../base/errors/index.js'
import type { QueryFit } from '../knowledge/query-fit.js'
import { topHits } from '../../data/lexical/top-hits.js'
import { logits } from '../ranking/builtin-ranker.js'
import { type FitWeights, withFit } from '../ranking/weigh-fit.js'
import { createCandidates } from '../service/ranked-candidates.js'
import { getOrAdd } from '../../base/util/get-or-add.js'
import { brokenShare, type Measure, measureOf, valueOf } from './kinds.js'
import type { KindQuery } from './queries.js'

/** The candidates of a query with all that their order depends on, by position. */
export interface Gathered {
  readonly query: KindQuery
  readonly measure: Measure
  readonly rows: Uint32Array
  readonly textScores: Float32Array
  readonly popularity: Float32Array
  readonly fit: QueryFit
}

/** How many candidates the ranker orders, the default of /search. */
const candidates = 100

/** What the ranker is given for each query. */
export async function gather(
  queries: readonly KindQuery[],
  search: Pick<
    OpenSearch,
    'catalogue' | 'computeFeatures' | 'firstStage' | 'knowledge' | 'weights'
  >,
  onDone: () => void,
): Promise<readonly Gathered[]> {
  const { catalogue, computeFeatures, weights } = search
  const candidatesOf = createCandidates(search)
  const byKind = new Map<string, KindQuery[]>()
  for (const query of queries) getOrAdd(byKind, query.kind, () => []).push(query)
  const gathered: Gathered[] = []
  for (const query of queries) {
    const dataset = catalogue.dataset(query.dataset)
    if (dataset === undefined) throw new DatasetMissingError(query.dataset)
    const mask = catalogue.mask(query.dataset, { adult: false })
    const scope = { count: dataset.rows, mask, maskWithNovels: mask }
    const { each } = await candidatesOf(dataset, { candidates }, [query], scope)
    const [pick] = each
    if (pick === undefined || pick instanceof Error) throw pick ?? new Error('no candidates')
    const known = await pick()
    const { rows } = known
    const features = await computeFeatures({ dataset, query: known.query, rows })
    const { fit } = known
    if (fit === undefined) throw new Error('nothing was read')
    gathered.push({
      query,
      measure: measureOf(query.kind, byKind.get(query.kind) ?? []),
      rows,
      textScores: logits(features, weights),
      popularity: features.popularity,
      fit,
    })
    onDone()
  }
  return gathered
}

/** Ten answers of a query with some weights. */
function answer({ rows, textScores, popularity, fit }: Gathered, weights: FitWeights): number[] {
  const scores = withFit(textScores, popularity, rows, fit, weights)
  return topHits(scores, 10).map(({ row: position }) => rows[position] ?? 0)
}

/** What a query is worth with some weights; an exclusion that is broken takes its share off. */
export function worthOf(gathered: Gathered, weights: FitWeights): number {
  const rows = answer(gathered, weights)
  return valueOf(gathered.measure, gathered.query, rows) - brokenShare(gathered.query, rows)
}

/** The mean over kinds of the mean over their queries: every kind counts alike. */
export function worthOfAll(all: readonly Gathered[], weights: FitWeights): number {
  const kinds = new Map<string, number[]>()
  for (const one of all) {
    getOrAdd(kinds, one.query.kind, () => []).push(worthOf(one, weights))
  }
  const means = [...kinds.values()].map((worths) => mean(worths))
  return mean(means)
}

const mean = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)

const steps = [0.5, 0.7, 0.85, 1.15, 1.4, 2] as const
const maxRounds = 4
/** A gain below this is noise. */
const minGain = 0.0005

/** Weight by weight, the step that gains most, until none gains. */
export function fitWeights(all: readonly Gathered[], from: FitWeights): FitWeights {
  let best = from
  let worth = worthOfAll(all, best)
  for (let round = 0; round < maxRounds; round += 1) {
    const before = worth
    for (const name of Object.keys(from) as (keyof FitWeights)[]) {
      const tried = steps.map((step) => ({ ...best, [name]: stepped(name, best[name], step) }))
      for (const weights of tried) {
        const value = worthOfAll(all, weights)
        if (value > worth + minGain) [best, worth] = [weights, value]
      }
    }
    if (worth === before) break
  }
  return best
}

const shares = new Set<keyof FitWeights>(['minTextShare', 'firstBySequel'])

function stepped(name: keyof FitWeights, value: number, step: number): number {
  const next = Math.round(value * step * 1000) / 1000
  return shares.has(name) ? Math.min(1, next) : next
}
