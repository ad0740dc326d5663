/**
 * The features of an entry that the built-in ranker weighs: the cosine of its nearest text, its bm25, how
 * well its texts cover the query token by token, and its popularity.
 */
import type { Catalogue, DatasetInfo } from '../../data/catalogue/catalogue.js'
import { maskOf } from '../../base/util/row-mask.js'
import { yieldToEventLoop } from '../../native/scheduling/yield-to-event-loop.js'
import { allSettledOrThrow } from '../../base/util/all-settled-or-throw.js'
import { noColumn, type MaxSimIndex } from '../../native/addon/max-sim.js'
import { requireDimension } from '../index/dimension.js'
import { searchEach } from '../index/search-each.js'
import type { Models } from '../../models/residency/resident-encoders.js'
import type { Collection, CollectionStore, Store } from '../index/store.js'
import type { RankerConfig } from './ranker-config.js'
import type { SimilarRows } from './first-stage.js'
import { synopsesOf } from './synopses-of.js'
import { distinctTokens } from '../../data/embed/token-lists.js'

/** One value a row, in the order of the request's rows. */
export interface Features {
  /** Of the query and the row's nearest text, 0 to 1; 0 where there is no vector. */
  readonly cosine: Float32Array
  /** Of the row's title and texts; 0 without a word of the query. */
  readonly bm25: Float32Array
  /** Of the row's best text, and of all its texts as one, 0 to 1; 0 where there is no token. */
  readonly maxsim: Float32Array
  /** How much better known than the average work of its source; 0 where the source says nothing. */
  readonly popularity: Float32Array
  /** Column of the text that covers the query best; of the nearest text where none shares a token. */
  readonly columns: Uint16Array
}

interface FeatureRequest {
  readonly dataset: DatasetInfo
  readonly query: string
  /** What is near the query by `FeatureServices.encoder`, which encodes the query where it is absent. */
  readonly similar?: SimilarRows | undefined
  /** Each once. */
  readonly rows: Uint32Array
  /** Of the query and each row, which is computed where it is absent. */
  readonly bm25?: Float32Array | undefined
  readonly signal?: AbortSignal | undefined
}

export interface FeatureServices {
  readonly catalogue: Pick<Catalogue, 'lexicalScores' | 'popularity'>
  readonly models: Pick<Models, 'use'>
  readonly collections: Pick<CollectionStore, 'use'>
  readonly tokenIndexes: Pick<Store<MaxSimIndex>, 'use'>
  /** The model whose vectors are compared. */
  readonly encoder: string
  /** Whether it compares synopses alone, where there are any. */
  readonly synopsesAlone?: boolean
  readonly rankerConfig: Pick<RankerConfig, 'tokens' | 'exponent' | 'fullCosine' | 'together'>
}

/** Rejects with the errors of models and embeddings. */
export type ComputeFeatures = (request: FeatureRequest) => Promise<Features>

export function createComputeFeatures(services: FeatureServices): ComputeFeatures {
  const { catalogue, models, collections, tokenIndexes, encoder: model, rankerConfig } = services
  const { synopsesAlone = false } = services

  async function vectorOf({ query, similar, signal }: FeatureRequest): Promise<Float32Array> {
    if (similar !== undefined) return similar.vector
    const { vectors } = await models.use(model, (encoder) =>
      encoder.encode([query], { signal, as: 'query' }),
    )
    return vectors
  }

  return async (request) => {
    const { dataset, query, rows, signal } = request
    const [vector, { ids }] = await allSettledOrThrow(
      vectorOf(request),
      models.use(rankerConfig.tokens, (encoder) => encoder.tokenize([query], { signal })),
    )
    await yieldToEventLoop(signal)
    // All at once: a file that changed is reported by the store that has it open.
    const [nearest, coverage, bm25] = await allSettledOrThrow(
      collections.use(dataset, model, (collection) => {
        requireDimension({ model, dimension: vector.length }, collection.index, dataset.name)
        return findNearest(collection, vector, request, synopsesAlone)
      }),
      tokenIndexes.use(dataset, rankerConfig.tokens, (index) =>
        coverQuery(index, distinctTokens(ids), rankerConfig, request),
      ),
      request.bm25 === undefined
        ? catalogue.lexicalScores(dataset.name, query, rows)
        : Promise.resolve(request.bm25),
    )
    return {
      cosine: nearest.cosine,
      bm25,
      maxsim: coverage.scores,
      popularity: priorOf(catalogue.popularity(dataset.name), rows),
      columns: coverage.columns.map((column, position) =>
        column === noColumn ? (nearest.columns[position] ?? 0) : column,
      ),
    }
  }
}

async function findNearest(
  { index, columns: datasetColumns }: Collection,
  vector: Float32Array,
  { dataset, rows, similar, signal }: FeatureRequest,
  synopsesAlone: boolean,
): Promise<Pick<Features, 'cosine' | 'columns'>> {
  const cosine = new Float32Array(rows.length)
  const columns = new Uint16Array(rows.length)
  // The model knows no token of the query: its vector is zero, and nothing is near.
  if (rows.length === 0 || vector.every((value) => value === 0)) return { cosine, columns }
  const positions = new Map(Array.from(rows, (row, position) => [row, position]))
  const take = (row: number, score: number, column: number) => {
    const position = positions.get(row)
    if (position === undefined) return
    positions.delete(row)
    cosine[position] = Math.max(0, score)
    columns[position] = column
  }
  similar?.rows.forEach((row, at) => {
    take(row, similar.cosines[at] ?? 0, similar.columns[at] ?? 0)
  })
  if (positions.size === 0) return { cosine, columns }
  const [found] = await searchEach(index, [vector], positions.size, {
    ...(synopsesAlone ? synopsesOf(index) : {}),
    mask: maskOf(dataset.rows, positions.keys()),
    signal,
  })
  found?.rows.forEach((row, at) => {
    take(row, found.scores[at] ?? 0, datasetColumns[found.columns[at] ?? 0] ?? 0)
  })
  return { cosine, columns }
}

/** The mean of `CatalogueRow.popularity` over the works of any source. */
const averagePopularity = 1

function priorOf(popularity: Float32Array | undefined, rows: Uint32Array): Float32Array {
  const prior = new Float32Array(rows.length)
  rows.forEach((row, position) => {
    const value = popularity?.[row] ?? NaN
    if (!Number.isNaN(value)) prior[position] = value - averagePopularity
  })
  return prior
}

/**
 * A token's weight is the squared norm of its vector: the encoder learnt there which words matter. Parts of
 * what a person remembers may be in different texts, so all texts count together, too.
 */
async function coverQuery(
  tokenIndex: MaxSimIndex,
  tokens: Uint16Array,
  { exponent, fullCosine, together: share }: FeatureServices['rankerConfig'],
  { rows, signal }: FeatureRequest,
): Promise<{ readonly scores: Float32Array; readonly columns: Uint16Array }> {
  const { tokenNorms } = tokenIndex
  const weights = Float32Array.from(tokens, (token) => (tokenNorms[token] ?? 0) ** 2)
  const measures = [{ exponent, fullCosine, weights }]
  const { scores, together, columns } = await tokenIndex.score(tokens, measures, { rows, signal })
  const mixed = scores.map((best, row) => best + share * ((together[row] ?? 0) - best))
  return { scores: mixed, columns }
}
