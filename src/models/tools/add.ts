/** Installs a model's folder below the folder of models once the model works. */
import { existsSync } from 'node:fs'
import { cp, lstat, realpath, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { readJsonIfThere } from '../format/model-files.js'
import { ModelAddError } from '../../base/errors/index.js'
import {
  type ModelKind,
  type ModelsLocation,
  isAllowedModel,
  nameOwnModel,
} from '../registry/registry.js'
import { findCrossEncoder } from '../registry/cross-encoders.js'
import { temporaryFor, findModel, replaceFolder, tryFolder } from './install.js'

export interface AddModelOptions {
  /** Folder in the layout of sentence-transformers. */
  readonly path: string
  /** A name of the catalogue of models. */
  readonly name: string
  /** Adds a new name to custom.json. */
  readonly isNew?: boolean
  /** Of a new name: it reads texts in batches even if a vector then depends on the other texts. */
  readonly batches?: boolean | undefined
  readonly modelsDir: string
  /** Copies the folder; a link to it is made otherwise. */
  readonly copy: boolean
  /** Replaces what is installed under that name. */
  readonly replace: boolean
}

export interface AddedModel {
  /** As the catalogue spells it. */
  readonly name: string
  readonly folder: string
  /** Undefined of cross-encoders. */
  readonly dimension: number | undefined
  readonly maxTokens: number
  /** As of `ModelCheck`. */
  readonly cosineInBatch?: number | undefined
  readonly batches?: boolean | undefined
}

/** Throws an UnknownModelError, a ModelAddError, a ModelLoadError or a SettingsError; nothing is changed then. */
export async function addModel(options: AddModelOptions): Promise<AddedModel> {
  const { name, path, isNew = false, batches } = options
  if (!isNew || isKnown(name, options)) return addNamed(options)
  if (!existsSync(path)) throw new ModelAddError(name, `there is no folder ${path}`)
  const forget = nameOwnModel({ name, batches }, await kindOf(path), options)
  try {
    return await addNamed(options)
  } catch (error) {
    forget()
    throw error
  }
}

const isKnown = (name: string, location: ModelsLocation): boolean =>
  isAllowedModel(name, location) || findCrossEncoder(name, location) !== undefined

/** Cross-encoders have no modules, or have a config that names them. */
async function kindOf(folder: string): Promise<ModelKind> {
  if (!existsSync(join(folder, 'modules.json'))) return 'cross-encoder'
  const file = join(folder, 'config_sentence_transformers.json')
  const reading = readJsonIfThere(file, v.object({ model_type: v.optional(v.string()) }))
  // What is wrong with the file shows when the model is tried.
  const saved = await reading.catch(() => undefined)
  return saved?.model_type === 'CrossEncoder' ? 'cross-encoder' : 'encoder'
}

async function addNamed(options: AddModelOptions): Promise<AddedModel> {
  const { path, modelsDir, copy, replace } = options
  const location = findModel(options.name, { modelsDir })
  const { name, folder, builtin } = location
  if (builtin) throw new ModelAddError(name, 'it ships with the program and cannot be replaced')
  const source = await realpath(path).catch(() => undefined)
  if (source === undefined) throw new ModelAddError(name, `there is no folder ${path}`)
  const isTaken = (await lstat(folder).catch(() => undefined)) !== undefined
  if (isTaken && !replace) {
    throw new ModelAddError(name, `${folder} is there already; --replace replaces it`)
  }
  if (existsSync(folder) && (await realpath(folder)) === source && !copy) {
    throw new ModelAddError(name, `${path} is the folder of the model itself`)
  }
  const { problem, ...facts } = await tryFolder(location, source)
  if (problem !== undefined) throw new ModelAddError(name, problem)
  const temporary = temporaryFor(folder)
  try {
    if (copy) await cp(source, temporary, { recursive: true, dereference: true })
    else await symlink(source, temporary, 'junction')
    await replaceFolder(temporary, folder)
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
  return { name, folder, ...facts }
}
