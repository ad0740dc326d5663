/** The encoders that searches use: opened by the first use, closed when idle or when memory is short. */
import type { Encoder } from '../encoders/encoder.js'
import { type EncoderOptions, encoderBytes, openEncoder } from '../encoders/open-encoder.js'
import type { ModelResolver } from '../registry/resolve-model.js'
import type { QueryCache } from './query-cache.js'
import type { ResourceCache } from './resource-cache.js'

export interface Models {
  /**
   * Runs a task with a model's encoder, which stays loaded meanwhile. Rejects with UnknownModelError,
   * ModelNotInstalledError or ModelLoadError; the next use tries again.
   */
  use<T>(model: string, task: (encoder: Encoder) => Promise<T>): Promise<T>
}

export interface ModelsOptions extends EncoderOptions {
  readonly resolve: ModelResolver
  readonly cache: ResourceCache
  readonly queries: Pick<QueryCache, 'wrap'>
}

export function createModels({ resolve, cache, queries, ...options }: ModelsOptions): Models {
  const kind = cache.kind<Encoder>('model', (encoder) => encoder.close())
  return {
    use(model, task) {
      const source = {
        bytes: async () => encoderBytes(resolve(model), options),
        open: async () => queries.wrap(await openEncoder(resolve(model), options)),
      }
      return kind.use(model, source, task)
    },
  }
}
