/** The installed models that a request may name, and how they are found. */
import { stat } from 'node:fs/promises'
import {
  ModelNotFoundError,
  ModelNotInstalledError,
  SettingsError,
} from '../../base/errors/index.js'
import {
  type CrossEncoderFolders,
  type CrossEncoderLocation,
  crossEncoderNames,
  findCrossEncoder,
  listCrossEncoders,
  locateCrossEncoder,
} from '../../models/registry/cross-encoders.js'
import { findFineTuned, listFineTuned } from '../../models/registry/fine-tuned.js'
import { type ResolvedModel, listModels, modelNames } from '../../models/registry/registry.js'
import { resolveModel } from '../../models/registry/resolve-model.js'
import { fullName, unknownModel } from '../../models/registry/short-names.js'

/** Other names of models, each with the name of its model. */
export type ModelAliases = Readonly<Record<string, string>>

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

/** @param aliases other names by which requests may name models */
export function createServedModels(
  folders: CrossEncoderFolders,
  aliases: ModelAliases = {},
): ServedModels {
  const namedBy = (name: string) => (Object.hasOwn(aliases, name) ? (aliases[name] ?? name) : name)

  function encoder(name: string): ResolvedModel {
    const names = modelNames(folders)
    const full = fullName(namedBy(name), names)
    if (!names.includes(full)) throw notFound(unknownModel(name, installedEncoders()))
    const model = resolveModel(full, folders)
    return model.installed ? model : refuseMissing(model)
  }

  async function ranker(received: string): Promise<CrossEncoderLocation> {
    const name = namedBy(received)
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
    const models = await Promise.all([
      ...listModels(folders)
        .filter(({ installed }) => installed)
        .map((model) => served(model, 'encoder')),
      ...rankers.map((model) => served(model, 'ranker')),
      ...fineTuned.map(({ label, folder }) => served({ name: label, folder }, 'ranker')),
    ])
    const others = Object.entries(aliases).flatMap(([alias, model]) => {
      const found = models.find(({ name }) => name === model)
      return found === undefined ? [] : [{ ...found, name: alias }]
    })
    return [...models, ...others]
  }

  return {
    all,
    async find(name) {
      const names = modelNames(folders)
      const isEncoder = names.includes(fullName(namedBy(name), names))
      const found = isEncoder
        ? await served(encoder(name), 'encoder')
        : await served(await ranker(name), 'ranker')
      return Object.hasOwn(aliases, name) ? { ...found, name } : found
    },
    encoder,
    ranker,
  }
}

/** Rejects with a SettingsError that names the aliases of unknown models. */
export async function checkAliases(
  aliases: ModelAliases,
  folders: CrossEncoderFolders,
): Promise<void> {
  const fineTuned = await listFineTuned(folders.fineTunedDir)
  const names = [
    ...modelNames(folders),
    ...crossEncoderNames(folders),
    ...fineTuned.map(({ label }) => label),
  ]
  const problems = Object.entries(aliases).flatMap(([alias, model]) =>
    names.includes(model) ? [] : [`--model-alias ${alias}: ${unknownModel(model, names)}`],
  )
  if (problems.length > 0) throw new SettingsError(problems)
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
