/** Encoders for tools and builds: each is opened by its first use and stays until it is released. */
import type { Encoder } from '../encoders/encoder.js'
import { type EncoderOptions, openEncoder } from '../encoders/open-encoder.js'
import type { WorkerEncoder } from '../encoders/worker-encoder.js'
import type { ResolvedModel } from '../registry/registry.js'
import { EncoderError } from '../../base/errors/index.js'
import { createResourceCache } from './resource-cache.js'

export interface Encoders {
  /** The encoder of an installed model. Rejects with ModelLoadError; the next call tries again. */
  get(model: ResolvedModel): Promise<Encoder>
  /** Names of the models in memory, in order of use. */
  loaded(): string[]
  /** Frees a model once its work in flight is done; a model that is not loaded is not an error. */
  release(model: string): Promise<void>
  /** Frees all; work in flight is rejected. Idempotent. */
  close(): Promise<void>
}

export function createEncoders(options: EncoderOptions = {}): Encoders {
  const cache = createResourceCache()
  let isClosed = false
  const kind = cache.kind<WorkerEncoder>('model', async (encoder) => {
    if (!isClosed) await encoder.idle()
    await encoder.close()
  })

  return {
    async get(model) {
      if (isClosed) throw new EncoderError(model.name, 'closed', 'is closed')
      const source = { open: () => openEncoder(model, options) }
      return kind.use(model.name, source, (encoder) => Promise.resolve(encoder))
    },
    loaded: () => cache.list('model').flatMap(({ name, isOpen }) => (isOpen ? [name] : [])),
    release: (model) => kind.drop(model),
    async close() {
      isClosed = true
      await cache.close()
    },
  }
}
