/** The shadows of a collection: those that are missing or made from other matrices are built. */
import { openCollection } from '../native/index.js'
import { buildShadow } from '../native/quantized-codes.js'
import type { EmbeddingsColumn } from './open-embeddings.js'

export interface ShadowProgress {
  readonly phase: 'shadow'
  readonly column: string
  /** From 0 to 1, of this column. */
  readonly share: number
}

export interface ShadowsOptions {
  readonly onProgress?: ((progress: ShadowProgress) => void) | undefined
  readonly signal?: AbortSignal | undefined
}

export async function buildShadows(
  columns: readonly EmbeddingsColumn[],
  { onProgress, signal }: ShadowsOptions,
): Promise<void> {
  const index = await openCollection({ columns })
  const { shadows = [] } = index.stats()
  index.close()
  for (const [i, { name, path }] of columns.entries()) {
    const shadow = shadows[i] ?? null
    if (shadow !== null && !('refused' in shadow)) continue
    await buildShadow(path, {
      ...(signal && { signal }),
      onProgress: (share) => onProgress?.({ phase: 'shadow', column: name, share }),
    })
  }
}
