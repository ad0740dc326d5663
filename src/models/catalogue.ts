/** The models that may be named, and where their files lie. Read once from models/catalogue.json. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as v from 'valibot'
import { UnknownModelError } from '../errors/unknown-model-error.js'

export interface ModelEntry {
  /** What requests and commands name it by, e.g. `encoders/all-MiniLM-L6-v2`. */
  readonly name: string
  readonly summary: string
  /** Where its publisher keeps it on the Hugging Face hub; own models have none. */
  readonly repository?: string | undefined
  /** Commit, tag or branch of the repository that is fetched; `main` where absent. */
  readonly revision?: string | undefined
  readonly dimension?: number | undefined
  /** Longest input in tokens. */
  readonly maxTokens?: number | undefined
  readonly pooling?: string | undefined
  readonly parameters?: number | undefined
}

/** A model that scores pairs; it has no dimension and no pooling. */
export interface CrossEncoderEntry extends ModelEntry {
  /** Other names that requests may use: the label alone, and the spellings of the hub. */
  readonly aliases?: readonly string[] | undefined
}

export interface ResolvedModel extends ModelEntry {
  /** Where its files are or would be. */
  readonly folder: string
  readonly installed: boolean
  /** Ships with the program. */
  readonly builtin: boolean
}

/** All allowed models, in the order of the catalogue. */
export function listModels(options: { readonly modelsDir: string }): ResolvedModel[] {
  return models.map((model) => resolve(model, options.modelsDir))
}

export const modelNames = (): readonly string[] => models.map((model) => model.name)

/** Exact names only. */
export const isAllowedModel = (name: string): boolean => models.some((model) => model.name === name)

/** Throws an UnknownModelError; whether the files are there is for the caller to judge. */
export function resolveModel(name: string, options: { readonly modelsDir: string }): ResolvedModel {
  const model = models.find((candidate) => candidate.name === name)
  if (model === undefined) throw new UnknownModelError(name, modelNames())
  return resolve(model, options.modelsDir)
}

const count = v.pipe(v.number(), v.integer(), v.minValue(1))
/** A name is also a folder below the folder of models. */
const name = v.pipe(v.string(), v.regex(/^[\w-][\w.-]*(\/[\w-][\w.-]*)?$/))
const members = {
  name,
  summary: v.pipe(v.string(), v.nonEmpty()),
  repository: v.optional(v.pipe(v.string(), v.regex(/^[\w.-]+\/[\w.-]+$/))),
  revision: v.optional(v.pipe(v.string(), v.regex(/^[\w./-]+$/))),
  maxTokens: v.optional(count),
  parameters: v.optional(count),
}
const catalogueFile = v.strictObject({
  models: v.array(
    v.strictObject({
      ...members,
      dimension: v.optional(count),
      pooling: v.optional(v.picklist(['mean', 'cls', 'sum'])),
    }),
  ),
  crossEncoders: v.array(
    v.strictObject({
      ...members,
      aliases: v.optional(v.array(name)),
    }),
  ),
})

const ownFolder = fileURLToPath(new URL('../../models/', import.meta.url))
const catalogue = v.parse(
  catalogueFile,
  JSON.parse(readFileSync(join(ownFolder, 'catalogue.json'), 'utf8')),
)
const models: readonly ModelEntry[] = catalogue.models
export const crossEncoderEntries: readonly CrossEncoderEntry[] = catalogue.crossEncoders

function resolve(model: ModelEntry, modelsDir: string): ResolvedModel {
  const { folder, builtin } = placeOf(model.name, modelsDir)
  return { ...model, folder, installed: existsSync(join(folder, 'modules.json')), builtin }
}

/** The folder that a name stands for. */
export function placeOf(name: string, modelsDir: string): { folder: string; builtin: boolean } {
  const builtin = name.startsWith('builtin/')
  return { folder: join(builtin ? ownFolder : modelsDir, ...name.split('/')), builtin }
}
