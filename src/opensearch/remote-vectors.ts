/** Vectors of datasets in an engine: which there are, and indices of them. */
import type { DatasetInfo } from '../catalogue/catalogue.js'
import type { IndexSettings } from '../config/settings.js'
import { ModelNotInstalledError } from '../errors/model-not-installed-error.js'
import { modelRevision } from '../model-format/revision.js'
import { resolveModel } from '../models/registry.js'
import type { VectorIndex } from '../native/vector-index.js'
import { createEngine, type Engine, type EngineOptions } from './engine.js'
import { findIndex, type FoundIndex } from './find-index.js'
import { openRemoteIndex } from './remote-index.js'

export interface RemoteVectors {
  /** Rejects with a ModelNotInstalledError, an IndexMismatchError or an IndexUnavailableError. */
  find(dataset: DatasetInfo, model: string): Promise<FoundIndex>
  /** The same errors. */
  open(dataset: DatasetInfo, model: string): Promise<VectorIndex>
  /** Why the engine is not called now; undefined while it is. */
  problem(): string | undefined
  close(): Promise<void>
}

export type ConnectionSettings = Omit<IndexSettings, 'index'>

export function createRemoteVectors(
  settings: ConnectionSettings & { readonly modelsDir: string },
  environment: NodeJS.ProcessEnv = process.env,
): RemoteVectors {
  const { modelsDir, indexPrefix: prefix } = settings
  const options = engineOptions(settings, environment)
  const engine = createEngine(options)

  async function find(dataset: DatasetInfo, model: string): Promise<FoundIndex> {
    const { folder, installed, repository } = resolveModel(model, { modelsDir })
    if (!installed) throw new ModelNotInstalledError(model, repository)
    return findIndex(engine, { prefix, dataset, model, revision: await modelRevision(folder) })
  }

  return {
    find,
    async open(dataset, model) {
      const found = await find(dataset, model)
      return openRemoteIndex({ engine, found, timeoutMs: options.timeoutMs })
    },
    problem: () => engine.problem(),
    close: () => engine.close(),
  }
}

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
