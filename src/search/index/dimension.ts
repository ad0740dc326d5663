import type { Encoder } from '../../models/encoders/encoder.js'
import { DimensionMismatchError } from '../../base/errors/index.js'
import type { DatasetName } from '../../data/catalogue/catalogue.js'
import type { VectorIndex } from '../../native/addon/vector-index.js'

/** Throws a DimensionMismatchError where the model's vectors cannot be compared with those of the index. */
export function requireDimension(
  encoder: Pick<Encoder, 'model' | 'dimension'>,
  index: Pick<VectorIndex, 'dimension'>,
  dataset: DatasetName,
): void {
  if (index.dimension === encoder.dimension) return
  throw new DimensionMismatchError(dataset, encoder.model, encoder.dimension, index.dimension)
}
