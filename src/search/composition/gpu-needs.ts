/** How much GPU memory collections and models need: measured where their files are, else estimated. */
import { stat } from 'node:fs/promises'
import type { Catalogue, DatasetInfo } from '../../data/catalogue/catalogue.js'
import type { Inventory } from './inventory.js'
import { maxCudaBatch } from '../../models/encoders/batch-sizes.js'
import { findEmbeddings, type EmbeddingsLocation } from '../index/open-index.js'
import { readModelFacts } from '../../models/format/model-facts.js'
import { listCrossEncoders } from '../../models/registry/cross-encoders.js'
import { knownDimension } from '../../models/registry/known-dimension.js'
import { weightBytes } from '../../models/registry/model-memory.js'
import {
  isChoice,
  listModels,
  type ModelsLocation,
  type ResolvedModel,
} from '../../models/registry/registry.js'

export interface CollectionNeeds {
  readonly dataset: string
  readonly model: string
  readonly rows: number
  readonly dimension: number
  readonly columns: number
  /** Of its files; without embeddings that match, an estimate for codes of eight bits. */
  readonly isBuilt: boolean
  /** For searches of up to eight queries: quantized codes, or float16 for a column without codes. */
  readonly fewBytes: number
  /** For batches: float16. */
  readonly batchBytes: number
  /** For exact rescoring on the GPU: float32. */
  readonly scoreBytes: number
  /** All layouts that searches of every kind leave there. */
  readonly allBytes: number
}

/** Each installed model with each dataset, without what ships as a choice and has no embeddings. Opens no collection. */
export async function planCollections(
  catalogue: Catalogue,
  { datasets }: Inventory,
  location: EmbeddingsLocation & ModelsLocation,
): Promise<CollectionNeeds[]> {
  const needs: CollectionNeeds[] = []
  for (const { name, models } of datasets) {
    const dataset = catalogue.dataset(name)
    if (dataset === undefined) continue
    for (const model of listModels(location).filter(({ installed }) => installed)) {
      const isBuilt = models.includes(model.name)
      if (!isBuilt && isChoice(model)) continue
      const columns = isBuilt
        ? await measuredCodes(location, dataset, model)
        : await estimatedCodes(dataset, model)
      const dimension = await knownDimension(model)
      if (dimension === undefined) continue
      needs.push(needsOf(dataset, { model: model.name, dimension, isBuilt }, columns))
    }
  }
  return needs
}

/** @param codes bytes of each column's codes; undefined of a column without them */
function needsOf(
  { name: dataset, rows }: DatasetInfo,
  { model, dimension, isBuilt }: Pick<CollectionNeeds, 'model' | 'dimension' | 'isBuilt'>,
  codes: readonly (number | undefined)[],
): CollectionNeeds {
  const columns = codes.length
  const halfBytes = rows * (Math.ceil(dimension / 8) * 16 + 4)
  const codesBytes = codes.reduce<number>((sum, bytes = 0) => sum + bytes, 0)
  const uncoded = codes.filter((bytes) => bytes === undefined).length
  const batchBytes = columns * halfBytes
  const scoreBytes = columns * rows * (dimension * 4 + 8)
  return {
    dataset,
    model,
    rows,
    dimension,
    columns,
    isBuilt,
    fewBytes: codesBytes + uncoded * halfBytes,
    batchBytes,
    scoreBytes,
    allBytes: codesBytes + batchBytes + scoreBytes,
  }
}

async function measuredCodes(
  location: EmbeddingsLocation,
  dataset: DatasetInfo,
  model: ResolvedModel,
): Promise<(number | undefined)[]> {
  const { columns } = await findEmbeddings(location, dataset, model)
  return Promise.all(columns.map(({ path }) => codesBytes(path)))
}

/** Size of the quantized codes of a matrix; 4 bits go before 8, as when a collection opens them. */
async function codesBytes(path: string): Promise<number | undefined> {
  for (const bits of [4, 8]) {
    const found = await stat(`${path}.q${bits}`).catch(() => undefined)
    if (found !== undefined) return found.size
  }
  return undefined
}

/** A row of codes of eight bits: padded to 64, and up to eleven float32 with them. */
async function estimatedCodes({ rows, columns }: DatasetInfo, model: ResolvedModel) {
  const dimension = (await knownDimension(model)) ?? 0
  const bytes = rows * (Math.ceil(dimension / 64) * 64 + 44)
  return columns.map(() => bytes)
}

export interface ModelNeeds {
  readonly model: string
  readonly weightBytes: number
  /** What its largest batch takes in addition to the weights; ONNX Runtime keeps that. An estimate. */
  readonly activationBytes: number
}

/** Every installed model that has a network, without what ships as a choice and has no embeddings. */
export async function planModels(
  location: ModelsLocation,
  { datasets }: Inventory,
): Promise<ModelNeeds[]> {
  const embedded = new Set(datasets.flatMap(({ models }) => models))
  const models = [...listModels(location), ...listCrossEncoders(location)].filter(
    (model) => model.installed && (!isChoice(model) || embedded.has(model.name)),
  )
  const needs = await Promise.all(models.map((model) => modelNeeds(model)))
  return needs.filter((need) => need.weightBytes > 0)
}

async function modelNeeds(model: ResolvedModel): Promise<ModelNeeds> {
  const facts = await readModelFacts(model.folder)
  const dimension = model.dimension ?? facts.dimension ?? usualWidth
  const maxTokens = facts.maxTokens ?? model.maxTokens ?? usualTokens
  const { kind, pooling, name } = model
  const activationBytes =
    pooling === 'sum'
      ? maxCudaBatch.staticTokens * dimension * Float32Array.BYTES_PER_ELEMENT
      : kind === 'cross-encoder'
        ? maxCudaBatch.squaredTokens * bytesPerSquaredToken
        : maxCudaBatch.tokens * maxTokens * bytesPerSquaredToken * (dimension / usualWidth)
  return { model: name, weightBytes: (await weightBytes(model)) ?? 0, activationBytes }
}

/**
 * Two threads drive the device in each process; a search of one takes up to 96 MiB, its uploads 16 MiB
 * (GpuOptions of native/core/gpu/gpu_worker.h).
 */
export const workspaceBytes = 2 * (96 + 16) * 2 ** 20

/** Whether so much and the workspaces fit into a process's limit. */
export const fits = (bytes: number, limitBytes: number): boolean =>
  bytes + workspaceBytes <= limitBytes

const usualWidth = 384
const usualTokens = 512
/** Of a width of 384: MiniLM-L6 takes 504 MB on a processor for eight pairs of 512 tokens. */
const bytesPerSquaredToken = 504e6 / (8 * 512 ** 2)
