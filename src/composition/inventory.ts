/** What a server can search: for each dataset the models whose embeddings are there and match. */
import type { Logger } from 'pino'
import type { Catalogue, DatasetInfo } from '../catalogue/catalogue.js'
import { builtinModel, listModels } from '../models/registry.js'
import { builtinRanker } from '../ranking/builtin-ranker.js'
import { findEmbeddings, findTokenLists, type EmbeddingsLocation } from '../index/open-index.js'

export interface Inventory {
  readonly datasets: readonly DatasetInventory[]
}

export interface DatasetInventory extends DatasetInfo {
  readonly models: readonly string[]
  /** Installed models, and the built-in ranker, that this dataset cannot be searched with, and why. */
  readonly unusable: readonly UnusableModel[]
}

export interface UnusableModel {
  readonly model: string
  readonly problem: string
  /** The command that mends it. */
  readonly remedy: string | undefined
}

/** Reads manifests and the edges of files, so it takes milliseconds a model. */
export async function takeInventory(
  catalogue: Catalogue,
  location: EmbeddingsLocation,
): Promise<Inventory> {
  const installed = listModels(location).filter(({ installed }) => installed)
  const datasets = await Promise.all(
    catalogue.datasets().map(async (dataset) => {
      const unusable: UnusableModel[] = []
      const models: string[] = []
      for (const { name } of installed) {
        const fault = await faultOf(name, findEmbeddings(location, dataset, name))
        if (fault === undefined) models.push(name)
        else unusable.push(fault)
      }
      if (models.includes(builtinModel)) {
        const lists = findTokenLists(location, dataset, builtinModel)
        const fault = await faultOf(builtinRanker, lists)
        if (fault !== undefined) unusable.push(fault)
      }
      return { ...dataset, models, unusable }
    }),
  )
  return { datasets }
}

/** One line a dataset, for people. */
export function describeInventory({ datasets }: Inventory): string[] {
  return datasets.map(({ name, rows, columns, models }) => {
    const by = models.length > 0 ? models.join(', ') : 'no model yet'
    return `${name}: ${rows} entries, ${columns.length} synopsis columns, searched by ${by}`
  })
}

/** One line in the log for each model that a dataset cannot be searched with. */
export function logFaults({ datasets }: Inventory, logger: Logger): void {
  for (const { name, unusable } of datasets) {
    for (const { model, problem, remedy } of unusable) {
      const mend = remedy === undefined ? '' : ` Mend it with: ${remedy}`
      logger.warn({ dataset: name, model, remedy }, `${problem}${mend}`)
    }
  }
}

/** @throws Error where a dataset that could be searched cannot be by any model now */
export function requireSearchable(before: Inventory, { datasets }: Inventory): void {
  const lost = before.datasets.filter(({ name, models }) => {
    const now = datasets.find((dataset) => dataset.name === name)
    return models.length > 0 && (now?.models.length ?? 0) === 0
  })
  if (lost.length === 0) return
  const reasons = lost.map(({ name }) => {
    const [fault] = datasets.find((dataset) => dataset.name === name)?.unusable ?? []
    return `${name} (${fault?.problem ?? 'it is not in the catalogue any more'})`
  })
  throw new Error(
    `expected what can be searched now to stay so, lost ${reasons.join(', ')}; ` +
      'run `synoptic embed build`, then reload again',
  )
}

async function faultOf(
  model: string,
  finding: Promise<unknown>,
): Promise<UnusableModel | undefined> {
  try {
    await finding
    return undefined
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    const remedy = error instanceof Error && 'remedy' in error ? String(error.remedy) : undefined
    return { model, problem, remedy }
  }
}
