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
  readonly dimension?: number | undefined
  /** Longest input in tokens. */
  readonly maxTokens?: number | undefined
  readonly pooling?: string | undefined
  readonly parameters?: number | undefined
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
const catalogueFile = v.strictObject({
  models: v.array(
    v.strictObject({
      name,
      summary: v.pipe(v.string(), v.nonEmpty()),
      repository: v.optional(v.pipe(v.string(), v.regex(/^[\w.-]+\/[\w.-]+$/))),
      dimension: v.optional(count),
      maxTokens: v.optional(count),
      pooling: v.optional(v.picklist(['mean', 'cls', 'sum'])),
      parameters: v.optional(count),
    }),
  ),
})

const ownFolder = fileURLToPath(new URL('../../models/', import.meta.url))
const models: readonly ModelEntry[] = v.parse(
  catalogueFile,
  JSON.parse(readFileSync(join(ownFolder, 'catalogue.json'), 'utf8')),
).models

function resolve(model: ModelEntry, modelsDir: string): ResolvedModel {
  const builtin = model.name.startsWith('builtin/')
  const folder = join(builtin ? ownFolder : modelsDir, ...model.name.split('/'))
  return { ...model, folder, installed: existsSync(join(folder, 'modules.json')), builtin }
}
