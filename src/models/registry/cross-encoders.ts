/** The cross-encoders that /search may name: those of the catalogue, and one's own fine-tuned ones. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { ServerSettings } from '../../base/config/settings.js'
import { ModelNotInstalledError, SettingsError, ValidationError } from '../../base/errors/index.js'
import { type CrossEncoderEntry } from './registry-file.js'
import {
  type ModelsLocation,
  type ResolvedModel,
  entriesOf,
  isAllowedModel,
  locateModel,
} from './registry.js'
import { fullName, unknownModel } from './short-names.js'
import { findFineTuned, fineTunedFolder } from './fine-tuned.js'

export interface CrossEncoderLocation {
  /** Its name in responses, logs and errors. */
  readonly name: string
  readonly folder: string
  /** Ships with the program, and is not a network. */
  readonly builtin: boolean
}

export type ResolvedCrossEncoder = CrossEncoderEntry & ResolvedModel

export interface CrossEncoderFolders extends ModelsLocation {
  /** Folder of fine-tuned models. */
  readonly fineTunedDir: string
}

/** Those of the catalogue, in its order, and one's own. */
export function listCrossEncoders(location: ModelsLocation): ResolvedCrossEncoder[] {
  return entriesOf(location).crossEncoders.map((entry) =>
    locateCrossEncoder(entry, location.modelsDir),
  )
}

/** By name, alias, or the last part of a name where that is unique. */
export function findCrossEncoder(
  name: string,
  location: ModelsLocation,
): CrossEncoderEntry | undefined {
  const full = fullName(name, crossEncoderNames(location))
  return entriesOf(location).crossEncoders.find(
    (entry) => entry.name === full || entry.aliases?.includes(full),
  )
}

/** Every name that a request may use for one of the catalogue. */
export const crossEncoderNames = (location: ModelsLocation): readonly string[] =>
  entriesOf(location).crossEncoders.flatMap(({ name, aliases = [] }) => [name, ...aliases])

/** Where its files are or would be. */
export function locateCrossEncoder(
  entry: CrossEncoderEntry,
  modelsDir: string,
): ResolvedCrossEncoder {
  const { folder, builtin } = locateModel(entry.name, modelsDir)
  const installed = existsSync(join(folder, 'config.json'))
  return { ...entry, kind: 'cross-encoder', folder, installed, builtin }
}

/**
 * Where the files of a cross-encoder lie, by its name, another of its names, or the label or path of a
 * fine-tuned one. Rejects with a ValidationError or a ModelNotInstalledError.
 */
export async function resolveCrossEncoder(
  name: string,
  { modelsDir, fineTunedDir }: CrossEncoderFolders,
): Promise<CrossEncoderLocation> {
  const entry = findCrossEncoder(name, { modelsDir })
  if (entry !== undefined) {
    const found = locateCrossEncoder(entry, modelsDir)
    if (!found.installed) throw new ModelNotInstalledError(entry.name, entry.repository)
    return found
  }
  const own = await findFineTuned(name, fineTunedDir)
  if (own !== undefined) return { name: own.label, folder: own.folder, builtin: false }
  throw new ValidationError([{ path: 'model_name', message: unknown(name, { modelsDir }) }])
}

/** Rejects with a SettingsError where the default ranker cannot be used. */
export async function requireDefaultRanker(
  settings: Pick<ServerSettings, 'crossEncoder' | 'modelsDir' | 'fineTunedDir'>,
): Promise<void> {
  await requireRanker('--cross-encoder', settings.crossEncoder, settings)
}

/** Rejects with a SettingsError where a ranker that a flag names cannot be used. */
export async function requireRanker(
  flag: string,
  name: string,
  settings: Pick<ServerSettings, 'modelsDir' | 'fineTunedDir'>,
): Promise<void> {
  const { modelsDir } = settings
  try {
    await resolveCrossEncoder(name, { modelsDir, fineTunedDir: fineTunedFolder(settings) })
  } catch (error) {
    const isExpected = error instanceof ValidationError || error instanceof ModelNotInstalledError
    if (!isExpected) throw error
    throw new SettingsError([`${flag}: ${error.message.replace(/^model_name: /, '')}`])
  }
}

/** The same for what lies elsewhere and for what is nowhere: a server does not reveal its files. */
function unknown(name: string, location: ModelsLocation): string {
  const names = entriesOf(location).crossEncoders.map((entry) => entry.name)
  const isEncoder = isAllowedModel(name, location)
  const hint = isEncoder ? '; that is a model of /searchmodel' : ''
  return (
    `${unknownModel(name, names)}, or the label or path of a fine-tuned model` +
    `${hint}. GET /models lists all.`
  )
}
