/** Puts a model's folder in its place below the folder of models, once it has shown that it works. */
import { existsSync } from 'node:fs'
import { cp, lstat, realpath, rm, symlink } from 'node:fs/promises'
import { ModelAddError } from '../errors/model-add-error.js'
import { besideOf, findPlace, putInPlace, tryFolder } from './install.js'

export interface AddModelOptions {
  /** Folder in the layout of sentence-transformers. */
  readonly path: string
  /** A name of the catalogue of models. */
  readonly name: string
  readonly modelsDir: string
  /** Copies the folder; a link to it is made otherwise. */
  readonly copy: boolean
  /** Takes the place of what is installed under that name. */
  readonly replace: boolean
}

export interface AddedModel {
  /** As the catalogue spells it. */
  readonly name: string
  readonly folder: string
  /** Undefined of cross-encoders. */
  readonly dimension: number | undefined
  readonly maxTokens: number
}

/** Throws an UnknownModelError, a ModelAddError or a ModelLoadError; nothing is changed then. */
export async function addModel(options: AddModelOptions): Promise<AddedModel> {
  const { path, modelsDir, copy, replace } = options
  const place = findPlace(options.name, { modelsDir })
  const { name, folder, builtin } = place
  if (builtin) throw new ModelAddError(name, 'it ships with the program and cannot be replaced')
  const source = await realpath(path).catch(() => undefined)
  if (source === undefined) throw new ModelAddError(name, `there is no folder ${path}`)
  const isTaken = (await lstat(folder).catch(() => undefined)) !== undefined
  if (isTaken && !replace) {
    throw new ModelAddError(name, `${folder} is there already; --replace takes its place`)
  }
  if (existsSync(folder) && (await realpath(folder)) === source && !copy) {
    throw new ModelAddError(name, `${path} is the folder of the model itself`)
  }
  const { problem, ...facts } = await tryFolder(place, source)
  if (problem !== undefined) throw new ModelAddError(name, problem)
  const aside = besideOf(folder)
  try {
    if (copy) await cp(source, aside, { recursive: true, dereference: true })
    else await symlink(source, aside, 'junction')
    await putInPlace(aside, folder)
  } finally {
    await rm(aside, { recursive: true, force: true })
  }
  return { name, folder, ...facts }
}
