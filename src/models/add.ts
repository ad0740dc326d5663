/** Puts a model's folder in its place below the folder of models, once it has shown that it works. */
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, lstat, mkdir, realpath, rename, rm, symlink } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { dirname } from 'node:path'
import { openCrossEncoder } from '../encoders/cross-encoder.js'
import { openWorkerEncoder } from '../encoders/worker-encoder.js'
import { ModelLoadError } from '../errors/model-load-error.js'
import { ModelAddError } from '../errors/model-add-error.js'
import { resolveModel } from './catalogue.js'
import { problemOfLabels } from './cross-encoder-labels.js'
import { findCrossEncoder, placeCrossEncoder } from './cross-encoders.js'

export interface AddModelOptions {
  /** Folder in the layout of sentence-transformers. */
  readonly path: string
  /** A name of the catalogue of models. */
  readonly name: string
  readonly modelsDir: string
  /** Copies the folder; a link to it is made otherwise. */
  readonly copy: boolean
  /** Takes the place of what is installed under that name. */
  readonly replace: boolean
}

export interface AddedModel {
  /** As the catalogue spells it. */
  readonly name: string
  readonly folder: string
  /** Undefined of cross-encoders. */
  readonly dimension: number | undefined
  readonly maxTokens: number
}

/** Throws an UnknownModelError, a ModelAddError or a ModelLoadError; nothing is changed then. */
export async function addModel(options: AddModelOptions): Promise<AddedModel> {
  const { modelsDir, copy, replace } = options
  const ranker = findCrossEncoder(options.name)
  const { name, folder, builtin, dimension } = ranker
    ? placeCrossEncoder(ranker, modelsDir)
    : resolveModel(options.name, { modelsDir })
  if (builtin) throw new ModelAddError(name, 'it ships with the program and cannot be replaced')
  const source = await realpath(options.path).catch(() => undefined)
  if (source === undefined) throw new ModelAddError(name, `there is no folder ${options.path}`)
  const isTaken = (await lstat(folder).catch(() => undefined)) !== undefined
  if (isTaken && !replace) {
    throw new ModelAddError(name, `${folder} is there already; --replace takes its place`)
  }
  if (existsSync(folder) && (await realpath(folder)) === source && !copy) {
    throw new ModelAddError(name, `${options.path} is the folder of the model itself`)
  }
  const facts = await (ranker ? tryCrossEncoder(name, source) : tryModel(name, source))
  if (dimension !== undefined && facts.dimension !== dimension) {
    const found = `the model in ${options.path} has ${facts.dimension}`
    throw new ModelAddError(name, `expected vectors of ${dimension} dimensions, ${found}`)
  }
  await mkdir(dirname(folder), { recursive: true })
  const aside = `${folder}.${randomUUID()}.new`
  try {
    if (copy) await cp(source, aside, { recursive: true, dereference: true })
    else await symlink(source, aside, 'junction')
    if (isTaken) await rm(folder, { recursive: true })
    await rename(aside, folder)
  } finally {
    await rm(aside, { recursive: true, force: true })
  }
  return { name, folder, ...facts }
}

/** A model that cannot encode a sentence is better told of now than at the first search. */
async function tryModel(model: string, folder: string) {
  const encoder = await openWorkerEncoder({ model, folder, threads: availableParallelism() })
  try {
    const { vectors } = await encoder.encode(['Two brothers search for a stone.'])
    if (!vectors.every((value) => Number.isFinite(value))) {
      throw new ModelLoadError(model, 'expected finite numbers of a sentence, got others')
    }
    return { dimension: encoder.dimension, maxTokens: encoder.maxTokens }
  } finally {
    await encoder.close()
  }
}

/** The same of a pair. */
async function tryCrossEncoder(model: string, folder: string) {
  const problem = await problemOfLabels(model, folder)
  if (problem !== undefined) throw new ModelAddError(model, problem)
  const threads = availableParallelism()
  const encoder = await openCrossEncoder({ model, folder, threads, device: 'cpu' })
  try {
    const texts = ['Two brothers search for a stone.']
    await encoder.score('brothers and a stone', texts, { batchSize: 1 })
    return { dimension: undefined, maxTokens: encoder.maxTokens }
  } finally {
    await encoder.close()
  }
}
