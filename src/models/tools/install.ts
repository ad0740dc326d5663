/** The last step of each installation: the model is tried, then renamed to its final folder. */
import { randomUUID } from 'node:crypto'
import { lstat, rename, rm } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { dirname } from 'node:path'
import { dependsOnBatch } from '../encoders/batch-check.js'
import { openCrossEncoder } from '../encoders/cross-encoder.js'
import { openWorkerEncoder } from '../encoders/worker-encoder.js'
import { ModelLoadError } from '../../base/errors/index.js'
import { makeFolder } from '../../base/util/make-folder.js'
import type { ModelsLocation, ResolvedModel } from '../registry/registry.js'
import { resolveModel } from '../registry/resolve-model.js'
import { problemOfLabels } from '../format/cross-encoder-labels.js'
import { findCrossEncoder, locateCrossEncoder } from '../registry/cross-encoders.js'

export interface ModelTrial {
  /** Undefined of cross-encoders. */
  readonly dimension: number | undefined
  readonly maxTokens: number
  /** As of `ModelCheck`. */
  readonly cosineInBatch?: number | undefined
  readonly batches?: boolean | undefined
  /** Why it cannot have the name it was tried for. */
  readonly problem?: string | undefined
}

/** Where a model of the catalogue belongs, by its name or alias. Throws an UnknownModelError. */
export function findModel(name: string, location: ModelsLocation): ResolvedModel {
  const ranker = findCrossEncoder(name, location)
  return ranker ? locateCrossEncoder(ranker, location.modelsDir) : resolveModel(name, location)
}

/**
 * A model that cannot encode a sentence, or score a pair, should fail now and not at the first
 * search. Rejects with a ModelLoadError.
 */
export async function tryFolder(model: ResolvedModel, folder: string): Promise<ModelTrial> {
  return model.kind === 'cross-encoder' ? tryCrossEncoder(model, folder) : tryModel(model, folder)
}

/** @param temporary a folder or a link next to the final folder. Where this rejects, it is removed and the final folder is unchanged */
export async function replaceFolder(temporary: string, folder: string): Promise<void> {
  const old = `${folder}.${randomUUID()}.old`
  const isTaken = (await lstat(folder).catch(() => undefined)) !== undefined
  try {
    if (isTaken) await rename(folder, old)
    await rename(temporary, folder)
  } catch (error) {
    if (isTaken) await rename(old, folder).catch(() => undefined)
    throw error
  }
  await rm(old, { recursive: true, force: true })
}

/** Returns a temporary name next to a model's folder. Creates the folder above it. */
export function temporaryFor(folder: string): string {
  makeFolder(dirname(folder))
  return `${folder}.${randomUUID()}.new`
}

const sentence = 'Two brothers search for a stone.'

async function tryModel(
  { name, dimension, batches }: ResolvedModel,
  folder: string,
): Promise<ModelTrial> {
  const threads = availableParallelism()
  const encoder = await openWorkerEncoder({ model: name, folder, threads, batches })
  try {
    const { vectors } = await encoder.encode([sentence])
    if (!vectors.every((value) => Number.isFinite(value))) {
      throw new ModelLoadError(name, 'expected finite numbers of a sentence, got others')
    }
    const { maxTokens, cosineInBatch } = encoder
    const facts = {
      dimension: encoder.dimension,
      maxTokens,
      cosineInBatch: dependsOnBatch(cosineInBatch) ? cosineInBatch : undefined,
      batches,
    }
    if (dimension === undefined || dimension === facts.dimension) return facts
    const expected = `expected vectors of ${dimension} dimensions`
    return { ...facts, problem: `${expected}, the model has ${facts.dimension}` }
  } finally {
    await encoder.close()
  }
}

async function tryCrossEncoder({ name }: ResolvedModel, folder: string): Promise<ModelTrial> {
  const threads = availableParallelism()
  const problem = await problemOfLabels(name, folder)
  if (problem !== undefined) return { dimension: undefined, maxTokens: 0, problem }
  const encoder = await openCrossEncoder({ model: name, folder, threads, device: 'cpu' })
  try {
    await encoder.score('brothers and a stone', [sentence], { batchSize: 1 })
    return { dimension: undefined, maxTokens: encoder.maxTokens }
  } finally {
    await encoder.close()
  }
}
