/**
 * Fine-tuned models: the folders with a config.json in one folder. Requests may name them by path, so
 * every path is held against that folder before anything of the model is opened.
 */
import { readdir, realpath, stat } from 'node:fs/promises'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import { isMissing } from '../format/model-files.js'

export interface FineTunedModel {
  /** Its folder below the folder of fine-tuned models. */
  readonly label: string
  /** What requests name it by: its folder, as the settings lead there. */
  readonly path: string
  /** The same without links. */
  readonly folder: string
}

/** The settings say a folder that, where relative, lies in the folder of models. */
export const fineTunedFolder = (settings: {
  readonly modelsDir: string
  readonly fineTunedDir: string
}): string =>
  isAbsolute(settings.fineTunedDir)
    ? settings.fineTunedDir
    : join(settings.modelsDir, settings.fineTunedDir)

/** By label; none where there is no such folder. */
export async function listFineTuned(fineTunedDir: string): Promise<FineTunedModel[]> {
  const root = await realpathIfThere(fineTunedDir)
  if (root === undefined) return []
  const labels = await namesIn(root)
  const models = await Promise.all(labels.map((label) => inspect(label, root, fineTunedDir)))
  return models.filter((model) => model !== undefined)
}

/**
 * By label, or by path: absolute, or from the folder of fine-tuned models or the working directory.
 * Undefined for whatever is not a model inside the folder, be it by `..` or by links.
 */
export async function findFineTuned(
  name: string,
  fineTunedDir: string,
): Promise<FineTunedModel | undefined> {
  if (name.includes('\0') || name.length > maxPathLength) return undefined
  const root = await realpathIfThere(fineTunedDir)
  if (root === undefined) return undefined
  for (const label of labelsOf(name, root, fineTunedDir)) {
    const model = await inspect(label, root, fineTunedDir)
    if (model !== undefined) return model
  }
  return undefined
}

const maxPathLength = 4096

/** What a name could mean below the folder. The path that was listed may itself begin with `..`. */
function labelsOf(name: string, root: string, fineTunedDir: string): string[] {
  const prefix = join(fineTunedDir, sep)
  const asListed = name.startsWith(prefix) ? [name.slice(prefix.length)] : []
  const asLabel = isAbsolute(name) ? [] : [name]
  const asPath = [relative(resolve(fineTunedDir), resolve(name)), relative(root, resolve(name))]
  const [rest = name] = asListed
  if (rest.split(/[\\/]/).includes('..')) return []
  return [...asListed, ...asLabel, ...asPath].filter(isBelow)
}

/** A model by its path below the folder. */
async function inspect(
  label: string,
  root: string,
  fineTunedDir: string,
): Promise<FineTunedModel | undefined> {
  const folder = await realpathIfThere(join(root, label))
  if (folder === undefined || !isBelow(relative(root, folder))) return undefined
  const config = await stat(join(folder, 'config.json')).catch(() => undefined)
  if (config?.isFile() !== true || !(await staysInside(folder, root))) return undefined
  return { label, path: join(fineTunedDir, label), folder }
}

/** Whether all of a model's folder can be read and no link in it leads out of the folder of fine-tuned models. */
async function staysInside(folder: string, root: string): Promise<boolean> {
  const options = { recursive: true, withFileTypes: true } as const
  const entries = await readdir(folder, options).catch(() => undefined)
  if (entries === undefined) return false
  for (const entry of entries) {
    if (!entry.isSymbolicLink()) continue
    const target = await realpathIfThere(join(entry.parentPath, entry.name))
    if (target !== undefined && !isBelow(relative(root, target))) return false
  }
  return true
}

const isBelow = (path: string): boolean =>
  path !== '' && path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path)

async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).sort()
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

/** Also undefined for a circle of links and for what may not be read. */
const realpathIfThere = (path: string): Promise<string | undefined> =>
  realpath(path).catch(() => undefined)
