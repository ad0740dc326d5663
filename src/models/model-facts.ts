/** What a model's folder says of itself without the model being loaded. */
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { ModelFileError, readJsonIfThere } from '../encoders/model-files.js'
import { readPipeline } from '../encoders/pipeline.js'

export interface ModelFacts {
  /** Length of the vectors; undefined where the folder does not say, and of cross-encoders. */
  readonly dimension: number | undefined
  /** Longest input. */
  readonly maxTokens: number | undefined
  readonly sizeBytes: number
}

/** Files that cannot be read leave their facts out: what is wrong with them shows when they are loaded. */
export async function readModelFacts(folder: string): Promise<ModelFacts> {
  const config = await ifSound(readJsonIfThere(join(folder, 'config.json'), configFile))
  const tokenizer = await ifSound(
    readJsonIfThere(join(folder, 'tokenizer_config.json'), tokenizerFile),
  )
  const pipeline = await ifSound(readPipeline(folder))
  const width = config?.hidden_size ?? config?.d_model
  const limits = [tokenizer?.model_max_length, config?.max_position_embeddings].filter(isNumber)
  return {
    dimension:
      width === undefined || pipeline === undefined
        ? undefined
        : width * Math.max(pipeline.pooling.length, 1),
    maxTokens: pipeline?.maxTokens ?? (limits.length > 0 ? Math.min(...limits) : undefined),
    sizeBytes: await sizeOf(folder),
  }
}

const count = v.optional(v.number())
const configFile = v.object({ hidden_size: count, d_model: count, max_position_embeddings: count })
const tokenizerFile = v.object({ model_max_length: count })
const isNumber = (value: number | undefined) => value !== undefined

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
