/** What a model's folder says of itself without the model being loaded. */
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { ModelFileError, readJson, readJsonIfThere } from './model-files.js'
import { readPipeline, type Pipeline } from './pipeline.js'
import { readCrossEncoder } from './cross-encoder-config.js'

export interface ModelFacts {
  /** Length of the vectors; undefined where the folder does not say, and of cross-encoders. */
  readonly dimension: number | undefined
  /** Longest input. */
  readonly maxTokens: number | undefined
  readonly sizeBytes: number
}

/** Files that cannot be read leave their facts out: what is wrong with them shows when they are loaded. */
export async function readModelFacts(folder: string): Promise<ModelFacts> {
  const pipeline = await ifSound(readPipeline(folder))
  const pairs = pipeline === undefined ? await ifSound(readCrossEncoder(folder)) : undefined
  return {
    dimension: pipeline && (await ifSound(dimensionOf(folder, pipeline))),
    maxTokens: pipeline?.maxTokens ?? pairs?.maxTokens,
    sizeBytes: await sizeOf(folder),
  }
}

async function dimensionOf(
  folder: string,
  { stages, tokenWidth, pooling }: Pipeline,
): Promise<number | undefined> {
  const dense = stages.findLast((stage) => stage.kind === 'dense')
  if (dense !== undefined) {
    return (await readJson(join(dense.folder, 'config.json'), denseFile)).out_features
  }
  const config = await readJsonIfThere(join(folder, 'config.json'), configFile)
  const width = tokenWidth ?? config?.hidden_size ?? config?.d_model
  return width === undefined ? undefined : width * Math.max(pooling.length, 1)
}

const denseFile = v.object({ out_features: v.number() })
const configFile = v.object({
  hidden_size: v.optional(v.number()),
  d_model: v.optional(v.number()),
})

async function ifSound<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof ModelFileError) return undefined
    throw error
  }
}

async function sizeOf(folder: string): Promise<number> {
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter(
    (file) => !file.isDirectory(),
  )
  const sizes = await Promise.all(
    files.map(async ({ parentPath, name }) => {
      // A link to nothing has no size.
      const found = await stat(join(parentPath, name)).catch(() => undefined)
      return found?.isFile() === true ? found.size : 0
    }),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}
