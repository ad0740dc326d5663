/**
 * The models that may be named, and where their files lie: those of models/catalogue.json, and one's own
 * of custom.json in the folder of models.
 */
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as v from 'valibot'
import { type CatalogueEntries, type ModelEntry, catalogueSchema } from './registry-file.js'
import { readCustomModels, writeCustomName } from './custom-models.js'

/** The encoder that is there from the first start on. It always ships with the program. */
export const builtinModel = 'builtin/static-en'

/** Finds better what is described in other words, and takes longer. */
export const builtinTransformer = 'builtin/minilm-anime'

/** Reads queries in other languages than English, where it is installed. */
export const languagesModel = 'intfloat/multilingual-e5-small'

/** Whether a model is used only where somebody chooses it, or once its vectors are there. */
export const isChoice = ({ builtin, name }: Pick<ResolvedModel, 'builtin' | 'name'>): boolean =>
  name === languagesModel || (builtin && name !== builtinModel)

export interface ModelsLocation {
  /** Folder of downloaded and own models. */
  readonly modelsDir: string
}

export interface ResolvedModel extends ModelEntry {
  readonly kind: ModelKind
  /** Where its files are or would be. */
  readonly folder: string
  readonly installed: boolean
  /** Ships with the program. */
  readonly builtin: boolean
}

export type ModelKind = 'encoder' | 'cross-encoder'

/** All allowed models, those of the program first. */
export function listModels({ modelsDir }: ModelsLocation): ResolvedModel[] {
  return entriesOf({ modelsDir }).models.map((model) => withLocation(model, modelsDir))
}

export const modelNames = (location: ModelsLocation): readonly string[] =>
  entriesOf(location).models.map(({ name }) => name)

/** Exact names only. */
export const isAllowedModel = (name: string, location: ModelsLocation): boolean =>
  entriesOf(location).models.some((model) => model.name === name)

/** Returns the folder of a name. */
export function locateModel(name: string, modelsDir: string): { folder: string; builtin: boolean } {
  const fetched = join(modelsDir, ...name.split('/'))
  const packaged = packages[name]
  const own =
    packaged === undefined || existsSync(join(fetched, 'modules.json'))
      ? shippedFolder(name)
      : packageFolder(packaged)
  return { folder: own ?? fetched, builtin: own !== undefined }
}

/** A built-in model lies in the program's folder, or, where it is large, in a separate npm package. */
function shippedFolder(name: string): string | undefined {
  if (!name.startsWith('builtin/')) return undefined
  const own = join(ownFolder, ...name.split('/'))
  return existsSync(own) ? own : packageFolder(name.replace('builtin', '@synoptic'))
}

function packageFolder(name: string): string | undefined {
  if (!packageFolders.has(name)) packageFolders.set(name, findPackage(name))
  return packageFolders.get(name)
}

function findPackage(name: string): string | undefined {
  try {
    return dirname(createRequire(import.meta.url).resolve(`${name}/package.json`))
  } catch {
    return undefined
  }
}

/** Models that come from their publisher's hub or, in fewer bits, as a package of npm. */
const packages: Readonly<Record<string, string>> = { [languagesModel]: '@synoptic/e5-small' }

/**
 * What may be named. custom.json is read once, so that what a server allows and what it finds do not
 * part while it runs. Throws a SettingsError where that file cannot be used.
 */
export function entriesOf({ modelsDir }: ModelsLocation): CatalogueEntries {
  return entriesByFolder.get(resolve(modelsDir)) ?? readModelNames({ modelsDir })
}

/** Reads custom.json again. Throws a SettingsError, and changes nothing, where it cannot be used. */
export function readModelNames({ modelsDir }: ModelsLocation): CatalogueEntries {
  const own = readCustomModels(modelsDir, shipped)
  const entries = {
    models: [...shipped.models, ...own.models],
    crossEncoders: [...shipped.crossEncoders, ...own.crossEncoders],
  }
  entriesByFolder.set(resolve(modelsDir), entries)
  return entries
}

/**
 * Adds a name to custom.json. Returns a function that removes it. Throws a SettingsError where
 * the name may not be.
 */
export function nameOwnModel(
  entry: Pick<ModelEntry, 'name' | 'batches'>,
  kind: ModelKind,
  { modelsDir }: ModelsLocation,
): () => void {
  const list = kind === 'encoder' ? 'models' : 'crossEncoders'
  const undo = writeCustomName(entry, list, modelsDir, shipped)
  readModelNames({ modelsDir })
  return () => {
    undo()
    readModelNames({ modelsDir })
  }
}

/** Returns the model with its folder, and whether its files are there now. */
export function withLocation(model: ModelEntry, modelsDir: string): ResolvedModel {
  const { folder, builtin } = locateModel(model.name, modelsDir)
  const installed = existsSync(join(folder, 'modules.json'))
  return { ...model, kind: 'encoder', folder, installed, builtin }
}

const ownFolder = fileURLToPath(new URL('../../../models/', import.meta.url))
const shipped = v.parse(
  catalogueSchema,
  JSON.parse(readFileSync(join(ownFolder, 'catalogue.json'), 'utf8')),
)
const packageFolders = new Map<string, string | undefined>()
/** By folder of models. */
const entriesByFolder = new Map<string, CatalogueEntries>()
