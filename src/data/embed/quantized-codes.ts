/** The quantized codes of a collection: those that are missing or made from other matrices are built. */
import { openCollection } from '../../native/addon/index.js'
import { buildCodes } from '../../native/addon/quantized-codes.js'
import type { Embeddings } from './open-embeddings.js'

export interface CodesProgress {
  readonly phase: 'codes'
  readonly column: string
  /** From 0 to 1, of this column. */
  readonly share: number
}

export interface ColumnCodesOptions {
  readonly onProgress?: ((progress: CodesProgress) => void) | undefined
  readonly signal?: AbortSignal | undefined
}

export async function buildColumnCodes(
  embeddings: Pick<Embeddings, 'columns' | 'compact'>,
  { onProgress, signal }: ColumnCodesOptions,
): Promise<void> {
  const index = await openCollection(embeddings)
  const stats = index.stats()
  index.close()
  for (const [i, { name, path }] of embeddings.columns.entries()) {
    const codes = stats.codes?.[i] ?? null
    if (codes !== null && !('refused' in codes)) continue
    await buildCodes(path, {
      ...(signal && { signal }),
      onProgress: (share) => onProgress?.({ phase: 'codes', column: name, share }),
    })
  }
}
