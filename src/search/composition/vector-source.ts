/** Where vectors are searched: in files, or in an engine whose client is loaded only then. */
import type { IndexSettings } from '../../base/config/settings.js'
import {
  createOpenCollection,
  findEmbeddings,
  type EmbeddingsLocation,
  type OpenEmbedded,
} from '../index/open-index.js'
import type { VectorIndex } from '../../native/addon/vector-index.js'

export interface VectorSource {
  readonly open: OpenEmbedded<VectorIndex>
  /** Rejects with what keeps a model from searching a dataset. Opens nothing. */
  readonly check: OpenEmbedded<unknown>
  /** Why nothing can be searched now; undefined where it can. */
  problem(): string | undefined
  close(): Promise<void>
}

export type SourceSettings = EmbeddingsLocation & Partial<IndexSettings>

export async function openVectorSource(settings: SourceSettings): Promise<VectorSource> {
  if (!isRemote(settings)) return embeddedVectors(settings)
  const { createRemoteVectors } = await import('../opensearch/remote-vectors.js')
  const remote = createRemoteVectors(settings)
  return { ...remote, check: (dataset, model) => remote.find(dataset, model) }
}

/** All of these settings come from one table, so checking one is enough. */
const isRemote = (settings: SourceSettings): settings is EmbeddingsLocation & IndexSettings =>
  settings.index === 'opensearch'

export const embeddedVectors = (location: EmbeddingsLocation): VectorSource => ({
  open: createOpenCollection(location),
  check: (dataset, model) => findEmbeddings(location, dataset, model),
  problem: () => undefined,
  close: () => Promise.resolve(),
})

/** What is read of the embeddings here: with vectors elsewhere, the token lists alone. */
export const locationOf = <Location extends SourceSettings>(settings: Location) => ({
  ...settings,
  withoutMatrices: isRemote(settings),
})
