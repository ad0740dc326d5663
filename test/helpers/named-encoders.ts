/** Encoders of a folder of models, by name. */
import type { Encoder } from '#synoptic/models/encoders/encoder.js'
import type { EncoderOptions } from '#synoptic/models/encoders/open-encoder.js'
import type { ModelsLocation } from '#synoptic/models/registry/registry.js'
import { requireInstalled } from '#synoptic/models/registry/resolve-model.js'
import { type Encoders, createEncoders } from '#synoptic/models/residency/encoders.js'

export interface NamedEncoders extends Omit<Encoders, 'get'> {
  /** Rejects with UnknownModelError, ModelNotInstalledError or ModelLoadError. */
  get(name: string): Promise<Encoder>
}

export function createNamedEncoders({
  modelsDir,
  ...options
}: EncoderOptions & ModelsLocation): NamedEncoders {
  const encoders = createEncoders(options)
  return {
    ...encoders,
    get: async (name) => encoders.get(requireInstalled(name, { modelsDir })),
  }
}
