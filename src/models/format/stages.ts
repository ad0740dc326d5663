/** What comes behind the pooling: the modules that work on one vector a text, in their order. */
import { type Dense, readDense } from './dense.js'
import { ModelFileError } from './model-files.js'
import { normalize } from './pooling.js'

/** As modules.json lists it. */
export type StageEntry =
  | { readonly kind: 'normalize' }
  | { readonly kind: 'dense'; readonly folder: string }

export interface Stages {
  /** @param vectors texts x dimension; may be written over. Answers texts x the last dimension. */
  apply(vectors: Float32Array, dimension: number): Float32Array
}

export async function loadStages(entries: readonly StageEntry[]): Promise<Stages> {
  const stages = await Promise.all(
    entries.map(async (entry) => (entry.kind === 'dense' ? readDense(entry.folder) : undefined)),
  )
  return {
    apply(vectors, dimension) {
      let [current, width] = [vectors, dimension]
      for (const dense of stages) {
        if (dense === undefined) normalize(current, width)
        else [current, width] = [applyDense(dense, current, width), dense.outputs]
      }
      return current
    },
  }
}

function applyDense(dense: Dense, vectors: Float32Array, width: number): Float32Array {
  if (dense.inputs === width) return dense.apply(vectors)
  throw new ModelFileError(`Dense: expected vectors of ${dense.inputs} numbers, got ${width}`)
}
