/** What a server can search: for each dataset, the models with embeddings that match. */
import type { Logger } from 'pino'
import type { Catalogue, DatasetInfo } from '../../data/catalogue/catalogue.js'
import {
  builtinModel,
  isChoice,
  listModels,
  type ModelsLocation,
} from '../../models/registry/registry.js'
import { EmbeddingsMissingError, IndexMismatchError } from '../../base/errors/index.js'
import { builtinRanker } from '../ranking/builtin-ranker.js'
import { counted } from '../../base/util/counted.js'
import { runnable } from '../../base/util/runnable.js'
import { findTokenLists, type EmbeddingsLocation } from '../index/open-index.js'
import { embeddedVectors, type VectorSource } from './vector-source.js'

export interface Inventory {
  readonly datasets: readonly DatasetInventory[]
}

export interface DatasetInventory extends DatasetInfo {
  readonly models: readonly string[]
  /** Installed models (and the built-in ranker) that cannot search this dataset, with the reason. */
  readonly unusable: readonly UnusableModel[]
}

interface UnusableModel {
  readonly model: string
  readonly problem: string
  /** The command that fixes it. */
  readonly remedy: string | undefined
}

/**
 * Reads manifests and the ends of files only, or queries the engine: milliseconds for each model. A model that ships as a
 * choice is not unusable for want of embeddings where nobody has chosen it.
 */
export async function takeInventory(
  catalogue: Catalogue,
  location: EmbeddingsLocation & ModelsLocation & { readonly searchEncoder?: string },
  vectors: Pick<VectorSource, 'check'> = embeddedVectors(location),
): Promise<Inventory> {
  const installed = listModels(location).filter(({ installed }) => installed)
  const datasets = await Promise.all(
    catalogue.datasets().map(async (dataset) => {
      const unusable: UnusableModel[] = []
      const models: string[] = []
      for (const model of installed) {
        const { name } = model
        try {
          await vectors.check(dataset, model)
          models.push(name)
        } catch (error) {
          const isUnchosen = isChoice(model) && name !== location.searchEncoder
          if (!isUnchosen || !isMissing(error)) unusable.push(faultOf(name, error))
        }
      }
      const builtin = installed.find(({ name }) => name === builtinModel)
      if (builtin !== undefined && models.includes(builtinModel)) {
        try {
          await findTokenLists(location, dataset, builtin)
        } catch (error) {
          unusable.push(faultOf(builtinRanker, error))
        }
      }
      return { ...dataset, models, unusable }
    }),
  )
  return { datasets }
}

/** One line for each dataset. */
export function describeInventory({ datasets }: Inventory): string[] {
  return datasets.map(({ name, rows, columns, models }) => {
    const by = models.length > 0 ? models.join(', ') : 'no model yet'
    const size = [counted(rows, 'entry', 'entries'), counted(columns.length, 'synopsis column')]
    return `${name}: ${size.join(', ')}, searched by ${by}`
  })
}

/** Logs one line for each model that cannot search a dataset. */
export function logFaults({ datasets }: Inventory, logger: Logger): void {
  for (const { name, unusable } of datasets) {
    for (const { model, problem, remedy } of unusable) {
      const hint = remedy === undefined ? '' : runnable(` To fix it, run: ${remedy}`)
      logger.warn({ dataset: name, model, remedy }, `${problem}${hint}`)
    }
  }
}

/** @throws Error if no model can search a dataset any more that could be searched before */
export function requireSearchable(before: Inventory, { datasets }: Inventory): void {
  const lost = before.datasets.filter(({ name, models }) => {
    const now = datasets.find((dataset) => dataset.name === name)
    return models.length > 0 && (now?.models.length ?? 0) === 0
  })
  if (lost.length === 0) return
  const reasons = lost.map(({ name }) => {
    const [fault] = datasets.find((dataset) => dataset.name === name)?.unusable ?? []
    return `${name} (${fault?.problem ?? 'not in the catalogue any more'})`
  })
  throw new Error(
    `the new data cannot be searched: ${reasons.join(', ')}; ` +
      runnable('run `synoptic embed build`, then reload again'),
  )
}

const isMissing = (error: unknown): boolean =>
  error instanceof EmbeddingsMissingError || error instanceof IndexMismatchError

function faultOf(model: string, error: unknown): UnusableModel {
  const problem = error instanceof Error ? error.message : String(error)
  const remedy = error instanceof Error && 'remedy' in error ? String(error.remedy) : undefined
  return { model, problem, remedy }
}
