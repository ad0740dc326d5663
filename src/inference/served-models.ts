/** The installed models that a request may name, and how they are found. */
import { stat } from 'node:fs/promises'
import { ModelNotFoundError, ModelNotInstalledError } from '../errors/index.js'
import {
  type CrossEncoderFolders,
  type CrossEncoderLocation,
  crossEncoderNames,
  findCrossEncoder,
  listCrossEncoders,
  locateCrossEncoder,
} from '../models/cross-encoders.js'
import { findFineTuned, listFineTuned } from '../models/fine-tuned.js'
import { type ResolvedModel, listModels, modelNames, resolveModel } from '../models/registry.js'
import { fullName, unknownModel } from '../models/short-names.js'

export interface ServedModel {
  readonly name: string
  readonly kind: 'encoder' | 'ranker'
  /** When its folder was written. */
  readonly createdSeconds: number
}

export interface ServedModels {
  all(): Promise<readonly ServedModel[]>
  /** Any of them, by its name or the last part of it. Rejects with a ModelNotFoundError or a ModelNotInstalledError. */
  find(name: string): Promise<ServedModel>
  /** @throws ModelNotFoundError, ModelNotInstalledError */
  encoder(name: string): ResolvedModel
  /** Rejects with a ModelNotFoundError or a ModelNotInstalledError. */
  ranker(name: string): Promise<CrossEncoderLocation>
}

export function createServedModels(folders: CrossEncoderFolders): ServedModels {
  function encoder(name: string): ResolvedModel {
    const names = modelNames(folders)
    const full = fullName(name, names)
    if (!names.includes(full)) throw notFound(unknownModel(name, installedEncoders()))
    const model = resolveModel(full, folders)
    return model.installed ? model : refuseMissing(model)
  }

  async function ranker(name: string): Promise<CrossEncoderLocation> {
    const entry = findCrossEncoder(name, folders)
    if (entry !== undefined) {
      const model = locateCrossEncoder(entry, folders.modelsDir)
      return model.installed ? model : refuseMissing(model)
    }
    const own = await findFineTuned(name, folders.fineTunedDir)
    if (own !== undefined) return { name: own.label, folder: own.folder, builtin: false }
    throw notFound(unknownModel(name, crossEncoderNames(folders)))
  }

  const installedEncoders = () =>
    listModels(folders).flatMap(({ name, installed }) => (installed ? [name] : []))

  async function all(): Promise<readonly ServedModel[]> {
    const fineTuned = await listFineTuned(folders.fineTunedDir)
    const rankers = listCrossEncoders(folders).filter(({ installed }) => installed)
    return Promise.all([
      ...listModels(folders)
        .filter(({ installed }) => installed)
        .map((model) => served(model, 'encoder')),
      ...rankers.map((model) => served(model, 'ranker')),
      ...fineTuned.map(({ label, folder }) => served({ name: label, folder }, 'ranker')),
    ])
  }

  return {
    all,
    async find(name) {
      const isEncoder = modelNames(folders).includes(fullName(name, modelNames(folders)))
      return isEncoder ? served(encoder(name), 'encoder') : served(await ranker(name), 'ranker')
    },
    encoder,
    ranker,
  }
}

async function served(
  { name, folder }: { readonly name: string; readonly folder: string },
  kind: ServedModel['kind'],
): Promise<ServedModel> {
  const { mtimeMs } = await stat(folder)
  return { name, kind, createdSeconds: Math.floor(mtimeMs / 1000) }
}

const notFound = (message: string) =>
  new ModelNotFoundError(`${message}. GET /v1/models lists what is served.`)

function refuseMissing({ name, repository }: ResolvedModel): never {
  throw new ModelNotInstalledError(name, repository)
}
