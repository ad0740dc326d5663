/** What ranks the entries of one catalogue: the same for the main catalogue and for segments of pending writes. */
import type { Catalogue, DatasetInfo } from '../../data/catalogue/catalogue.js'
import type { MaxSimIndex } from '../../native/addon/max-sim.js'
import type { CrossEncoders } from '../../models/residency/resident-cross-encoders.js'
import type { Models } from '../../models/residency/resident-encoders.js'
import type { CrossEncoderFolders } from '../../models/registry/cross-encoders.js'
import type { CollectionStore, Store } from '../index/store.js'
import type { DatasetKnowledge } from '../knowledge/dataset-knowledge.js'
import type { Languages } from '../languages/languages.js'
import {
  builtinRanker,
  createBuiltinRanker,
  type FeatureWeights,
} from '../ranking/builtin-ranker.js'
import { createComputeFeatures } from '../ranking/features.js'
import { createFirstStage } from '../ranking/first-stage.js'
import type { MatchedWords } from '../ranking/matched-words.js'
import type { RankerConfig } from '../ranking/ranker-config.js'
import { createRankers } from '../ranking/rankers.js'
import { type ChosenLanguages, compareLanguages } from './compare-languages.js'

/** Of all catalogues. */
export interface SharedParts {
  readonly models: Models
  readonly encoder: string
  readonly languages: Languages
  /** What compares queries in other languages. */
  readonly chosen: ChosenLanguages
  readonly rankerConfig: RankerConfig
  readonly weights: FeatureWeights
  readonly crossEncoders: CrossEncoders
  readonly crossEncoder: string
  readonly folders: CrossEncoderFolders
  readonly matchedWords: MatchedWords
}

/** Of one. */
export interface OwnParts {
  readonly catalogue: Catalogue
  readonly collections: CollectionStore
  readonly tokenIndexes: Store<MaxSimIndex>
  readonly knowledge: (dataset: DatasetInfo) => Promise<DatasetKnowledge>
}

export function createSearchParts(own: OwnParts, shared: SharedParts) {
  const { catalogue, collections, tokenIndexes, knowledge } = own
  const { models, encoder, rankerConfig, weights, crossEncoders, crossEncoder, folders } = shared
  const { languages, chosen } = shared
  const embedded = { catalogue, models, collections, tokenIndexes, encoder }
  const firstStage = createFirstStage(embedded)
  const computeFeatures = createComputeFeatures({ ...embedded, rankerConfig })
  const compared = { catalogue, models, collections, tokenIndexes, rankerConfig }
  const { otherLanguages, otherFeatures } = compareLanguages(chosen, compared)
  const rankers = createRankers({
    catalogue,
    crossEncoders,
    builtin: new Map([
      [builtinRanker, createBuiltinRanker(computeFeatures, weights, otherFeatures)],
    ]),
    crossEncoder,
    ...folders,
  })
  const rankedParts = {
    catalogue,
    firstStage,
    languages,
    otherLanguages,
    rankers,
    knowledge,
    matchedWords: shared.matchedWords,
  }
  return { firstStage, computeFeatures, rankers, rankedParts }
}
