/** Vectors of datasets in an engine: which there are, and indices of them. */
import type { DatasetInfo } from '../../data/catalogue/catalogue.js'
import type { IndexSettings } from '../../base/config/settings.js'
import { modelRevision } from '../../models/format/revision.js'
import type { ResolvedModel } from '../../models/registry/registry.js'
import type { VectorIndex } from '../../native/addon/vector-index.js'
import { createEngine, type Engine, type EngineOptions } from './engine.js'
import { findIndex, type FoundIndex } from './find-index.js'
import { openRemoteIndex } from './remote-index.js'

export interface RemoteVectors {
  /** Rejects with an IndexMismatchError or an IndexUnavailableError. */
  find(dataset: DatasetInfo, model: ResolvedModel): Promise<FoundIndex>
  /** The same errors. @param search other candidates than those of the settings */
  open(dataset: DatasetInfo, model: ResolvedModel, search?: Candidates): Promise<VectorIndex>
  /** Why the engine is not called now; undefined while it is. */
  problem(): string | undefined
  close(): Promise<void>
}

interface Candidates {
  /** Of a walk through a graph; undefined: all vectors are read. */
  readonly candidates: number | undefined
}

export type ConnectionSettings = Omit<IndexSettings, 'index'>

export function createRemoteVectors(
  settings: ConnectionSettings,
  environment: NodeJS.ProcessEnv = process.env,
): RemoteVectors {
  const { indexPrefix: prefix } = settings
  const usual = { candidates: candidatesOf(settings) }
  const options = engineOptions(settings, environment)
  const engine = createEngine(options)

  async function find(
    dataset: DatasetInfo,
    { name: model, folder }: ResolvedModel,
    { candidates } = usual,
  ): Promise<FoundIndex> {
    const revision = await modelRevision(folder)
    return findIndex(engine, { prefix, dataset, model, revision, candidates })
  }

  return {
    find: (dataset, model) => find(dataset, model),
    async open(dataset, model, search = usual) {
      const found = await find(dataset, model, search)
      return openRemoteIndex({ engine, found, timeoutMs: options.timeoutMs, ...search })
    },
    problem: () => engine.problem(),
    close: () => engine.close(),
  }
}

/** Of a walk through a graph; undefined where all vectors are read. */
export const candidatesOf = ({
  indexCandidates,
}: Pick<IndexSettings, 'indexCandidates'>): number | undefined =>
  indexCandidates === 'exact' ? undefined : indexCandidates

export const openEngine = (
  settings: ConnectionSettings,
  environment: NodeJS.ProcessEnv = process.env,
): Engine => createEngine(engineOptions(settings, environment))

function engineOptions(
  { indexUrl: urls, indexCa: ca, indexTimeout }: ConnectionSettings,
  environment: NodeJS.ProcessEnv,
): EngineOptions {
  const { SYNOPTIC_INDEX_USERNAME: username, SYNOPTIC_INDEX_PASSWORD: password } = environment
  return {
    urls,
    ca: ca === 'none' ? undefined : ca,
    timeoutMs: indexTimeout * 1000,
    username: username === '' ? undefined : username,
    password,
  }
}
