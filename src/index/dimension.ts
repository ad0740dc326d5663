import type { Encoder } from '../encoders/encoder.js'
import { DimensionMismatchError } from '../errors/index.js'
import type { DatasetName } from '../catalogue/catalogue.js'
import type { VectorIndex } from '../native/vector-index.js'

/** Throws a DimensionMismatchError where the model's vectors cannot be compared with those of the index. */
export function requireDimension(
  encoder: Pick<Encoder, 'model' | 'dimension'>,
  index: Pick<VectorIndex, 'dimension'>,
  dataset: DatasetName,
): void {
  if (index.dimension === encoder.dimension) return
  throw new DimensionMismatchError(dataset, encoder.model, encoder.dimension, index.dimension)
}
