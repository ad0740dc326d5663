/** Which embeddings there are of a catalogue, and whether they can be served. */
import { existsSync, statSync } from 'node:fs'
import type { Catalogue, DatasetInfo } from '../catalogue/catalogue.js'
import {
  EmbeddingsBrokenError,
  EmbeddingsMissingError,
  EmbeddingsStaleError,
  NativeError,
} from '../../base/errors/index.js'
import { type ResolvedModel, isChoice, listModels } from '../../models/registry/registry.js'
import { modelRevision } from '../../models/format/revision.js'
import { openCollection } from '../../native/addon/index.js'
import { findTokenTable } from './token-table.js'
import type { RefusedCodes, CodesStats } from '../../native/addon/vector-index.js'
import type { Manifest } from './manifest.js'
import { checkFiles, type Embeddings, openEmbeddings, requireTokens } from './open-embeddings.js'
import { embeddingPaths } from './paths.js'

export interface CollectionState {
  readonly dataset: string
  readonly model: string
  /** `unused`: the embeddings are there, their model is not. */
  readonly state: 'current' | 'missing' | 'stale' | 'damaged' | 'unused'
  /** What is wrong, in one line. */
  readonly problem?: string
  /** The command that mends it. */
  readonly remedy?: string
  readonly manifest?: Manifest
  readonly columns?: readonly ColumnState[]
}

export interface ColumnState {
  readonly name: string
  /** Of the matrix. */
  readonly bytes: number
  /** What was measured to be fastest; null: reading the matrix itself, or no build has measured yet. */
  readonly codes: CodesStats | RefusedCodes | null
}

export interface StateOptions {
  readonly catalogue: Catalogue
  readonly embeddingsDir: string
  readonly modelsDir: string
  /** Reads every file whole. */
  readonly verify: boolean
}

/**
 * Of the models that are installed or have embeddings, in the order of the catalogues. One that ships as a choice
 * is not missing where nobody has made the choice.
 */
export async function collectionStates(options: StateOptions): Promise<CollectionState[]> {
  const states: CollectionState[] = []
  for (const dataset of options.catalogue.datasets()) {
    for (const model of listModels(options)) {
      const state = await stateOf(dataset, model, options)
      if (state !== undefined) states.push({ dataset: dataset.name, model: model.name, ...state })
    }
  }
  return states
}

type State = Omit<CollectionState, 'dataset' | 'model'>

async function stateOf(
  dataset: DatasetInfo,
  model: ResolvedModel,
  { embeddingsDir, verify }: StateOptions,
): Promise<State | undefined> {
  if (!model.installed) {
    const location = { embeddingsDir, dataset: dataset.name, model: model.name }
    const isThere = existsSync(embeddingPaths(location, dataset.columns).manifest)
    return isThere ? { state: 'unused', problem: 'the model is not installed' } : undefined
  }
  try {
    const revision = await modelRevision(model.folder)
    const query = { embeddingsDir, dataset, model: model.name, revision }
    const embeddings = await openEmbeddings(query)
    if ((await findTokenTable(model.folder)) !== undefined) requireTokens(embeddings)
    const [problem] = verify ? await checkFiles(embeddings) : []
    const build = `synoptic embed build --dataset ${dataset.name} --model ${model.name}`
    if (problem !== undefined) return { state: 'damaged', problem, remedy: build }
    const columns = await columnStates(embeddings)
    const isRefused = columns.some(({ codes }) => codes !== null && 'refused' in codes)
    const { manifest } = embeddings
    return { state: 'current', manifest, columns, ...(isRefused && { remedy: build }) }
  } catch (error) {
    if (error instanceof NativeError && error.file !== undefined) {
      const { remedy } = new EmbeddingsBrokenError(dataset.name, model.name)
      return { state: 'damaged', problem: error.message, remedy }
    }
    if (error instanceof EmbeddingsMissingError) {
      return isChoice(model) ? undefined : { state: 'missing', remedy: error.remedy }
    }
    if (!(error instanceof EmbeddingsStaleError)) throw error
    const problem = error.cause instanceof Error ? error.cause.message : error.message
    return { state: 'stale', problem, remedy: error.remedy }
  }
}

async function columnStates(embeddings: Embeddings): Promise<ColumnState[]> {
  const index = await openCollection(embeddings)
  const { codes = [] } = index.stats()
  index.close()
  return embeddings.columns.map(({ name, path }, i) => ({
    name,
    bytes: statSync(path).size,
    codes: codes[i] ?? null,
  }))
}
