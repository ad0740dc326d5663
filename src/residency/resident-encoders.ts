/** The encoders that searches use: loaded at first use, released when idle or when memory is short. */
import type { Encoder } from '../encoders/encoder.js'
import type { Encoders } from './encoders.js'
import { resolveModel } from '../models/registry.js'
import type { ModelCache } from './model-cache.js'
import { modelBytes } from '../models/model-memory.js'
import type { QueryCache } from './query-cache.js'

export interface Models {
  /** Runs a task with a model's encoder, which stays loaded meanwhile. */
  use<T>(model: string, task: (encoder: Encoder) => Promise<T>): Promise<T>
}

export interface ModelsOptions {
  readonly encoders: Encoders
  readonly cache: ModelCache
  readonly modelsDir: string
  readonly queries: Pick<QueryCache, 'wrap'>
}

export function createModels({ encoders, cache, modelsDir, queries }: ModelsOptions): Models {
  const kind = cache.kind<Encoder>((_, model) => encoders.release(model))

  async function load(model: string): Promise<Encoder> {
    return queries.wrap(await encoders.get(model))
  }

  return {
    use(model, task) {
      const source = {
        // A name that is not known is for `get` to refuse.
        bytes: async () => modelBytes(resolveModel(model, { modelsDir }).folder, 'encoder'),
        load: () => load(model),
      }
      return kind.use(model, source, task)
    },
  }
}
