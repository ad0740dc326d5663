/**
 * Fetches a model from its hub: the files that it needs, of one commit, into a folder next to the final
 * one, in which a stopped pull resumes. A complete model that works is renamed to the final folder.
 */
import { readFile, rename, rm, statfs } from 'node:fs/promises'
import { basename, dirname, join, posix } from 'node:path'
import * as v from 'valibot'
import { readJsonIfThere } from '../format/model-files.js'
import { withBuildLock } from '../../base/util/build-lock.js'
import { ModelPullError } from '../../base/errors/index.js'
import { type FetchedFile, fetchFile } from './hub/fetch-file.js'
import type { Hub } from './hub/hub.js'
import { type RemoteFile, type RemoteRepository, listRepository } from './hub/listing.js'
import { type RetryOptions, withRetries } from '../../base/download/retry.js'
import { replaceFile } from '../../base/util/replace-file.js'
import { makeFolder } from '../../base/util/make-folder.js'
import type { ModelKind, ResolvedModel } from '../registry/registry.js'
import { findModel, replaceFolder, tryFolder } from './install.js'
import { type Dtype, NeededFileError, type NeededFiles, neededFiles } from './needed-files.js'

export interface PullOptions extends Pick<RetryOptions, 'signal' | 'firstWaitMs' | 'onRetry'> {
  readonly name: string
  readonly modelsDir: string
  readonly hub: Hub
  readonly dtype: Dtype
  /** Branch, tag or commit; that of the catalogue when omitted, `main` where it names none. */
  readonly revision?: string | undefined
  /** Replaces what is installed. */
  readonly replace: boolean
  readonly onProgress?: ((progress: PullProgress) => void) | undefined
  /** Fetches the weights of PyTorch, from which this makes onnx/model.onnx in the folder. */
  readonly makeNetwork?: ((folder: string, kind: ModelKind) => Promise<void>) | undefined
}

export interface PullProgress {
  /** What is being fetched, `tokenizer.json`. */
  readonly file: string
  readonly doneBytes: number
  readonly totalBytes: number
}

export interface PulledModel {
  readonly name: string
  readonly folder: string
  /** Nothing was fetched: it is installed, and `replace` is not set. */
  readonly wasThere: boolean
  readonly commit?: string
  /** What was installed before, where it was another commit of the repository. */
  readonly replacedCommit?: string | undefined
  readonly bytes?: number
  readonly dimension?: number | undefined
  readonly maxTokens?: number
}

/**
 * Rejects with an UnknownModelError, a ModelPullError, an UpstreamError, a ModelLoadError or the signal's
 * reason. Nothing is installed then; what was fetched is kept for the next pull.
 */
export async function pullModel(options: PullOptions): Promise<PulledModel> {
  const model = findModel(options.name, options)
  const { name, folder, builtin, repository } = model
  if (builtin) throw new ModelPullError(name, 'it ships with the program')
  if (repository === undefined) {
    const instead = `synoptic models add FOLDER --name ${name}`
    throw new ModelPullError(name, `no hub has it; add its folder with \`${instead}\``)
  }
  if (model.installed && !options.replace) return { name, folder, wasThere: true }
  const staging = join(dirname(folder), `.${basename(folder)}.pulling`)
  const pulled = await withBuildLock(staging, () => pull(options, model, repository, staging))
  if (pulled === undefined) throw new ModelPullError(name, 'another pull of it is under way')
  return pulled
}

async function pull(
  options: PullOptions,
  model: ResolvedModel,
  repository: string,
  staging: string,
): Promise<PulledModel> {
  const { hub, dtype, signal, revision = model.revision ?? 'main' } = options
  const { name, folder } = model
  const source = await withRetries(() => listRepository(hub, repository, revision, signal), options)
  const installed = await readJsonIfThere(join(folder, sourceName), installedSource).catch(
    () => undefined,
  )
  const isMade = options.makeNetwork !== undefined
  const recipe = { repository, commit: source.commit, dtype, ...(isMade ? { isMade } : {}) }
  const { needed, fetched } = await diskErrors(name, async () => {
    await openStaging(staging, JSON.stringify(recipe))
    return fetchAll(options, model, source, staging)
  })
  if (options.makeNetwork) await options.makeNetwork(staging, model.kind)
  else await nameNetwork(staging, needed.network)
  const { problem, ...facts } = await tryFolder(model, staging)
  if (problem !== undefined) throw new ModelPullError(name, problem)
  for (const path of [...needed.weights, recipeName]) await rm(join(staging, path))
  const files = installedFiles(fetched, needed)
  const record = { ...recipe, endpoint: hub.endpoint, files }
  replaceFile(join(staging, sourceName), `${JSON.stringify(record, null, 2)}\n`)
  await replaceFolder(staging, folder)
  const bytes = fetched.reduce((sum, file) => sum + file.bytes, 0)
  const isOther = installed?.repository === repository && installed.commit !== source.commit
  const replacedCommit = isOther ? installed.commit : undefined
  return { name, folder, wasThere: false, commit: source.commit, replacedCommit, bytes, ...facts }
}

const installedSource = v.object({ repository: v.string(), commit: v.string() })

/** What a folder in the making is of. */
const recipeName = 'pulling.json'
/** Where an installed folder came from. */
export const sourceName = 'source.json'

/** What an earlier pull of something else left is taken away. */
async function openStaging(staging: string, recipe: string): Promise<void> {
  const file = join(staging, recipeName)
  if ((await readFile(file, 'utf8').catch(() => undefined)) === recipe) return
  await rm(staging, { recursive: true, force: true })
  makeFolder(staging)
  replaceFile(file, recipe)
}

async function fetchAll(
  options: PullOptions,
  { name, kind }: ResolvedModel,
  source: RemoteRepository,
  folder: string,
): Promise<{ needed: NeededFiles; fetched: FetchedFile[] }> {
  const files = source.files
  const modules = files.get('modules.json')
  if (modules === undefined && kind === 'encoder') {
    throw new ModelPullError(name, `expected a modules.json in ${source.repository}, found none`)
  }
  const common = { ...options, source, folder }
  if (modules !== undefined) await fetchFile(modules, common)
  const text = modules && (await readFile(join(folder, 'modules.json'), 'utf8'))
  const selectedType = options.makeNetwork ? 'weights' : options.dtype
  const needed = choose(name, new Set(files.keys()), text, selectedType)
  const selected = needed.files.flatMap((path) => files.get(path) ?? [])
  const totalBytes = selected.reduce((sum, { bytes = 0 }) => sum + bytes, 0)
  await requireRoom(name, folder, selected)
  let doneBytes = 0
  const fetched: FetchedFile[] = []
  for (const file of selected) {
    const onBytes = (bytes: number) => {
      doneBytes += bytes
      options.onProgress?.({ file: file.path, doneBytes, totalBytes })
    }
    fetched.push(await fetchFile(file, { ...common, onBytes }))
  }
  return { needed, fetched }
}

function choose(
  name: string,
  paths: ReadonlySet<string>,
  modules: string | undefined,
  dtype: Dtype | 'weights',
): NeededFiles {
  try {
    return neededFiles(name, paths, modules, dtype)
  } catch (error) {
    if (!(error instanceof NeededFileError)) throw error
    throw new ModelPullError(name, error.message, { cause: error })
  }
}

/** Counts partial files as whole: an upper bound, known before the download. */
async function requireRoom(
  name: string,
  folder: string,
  files: readonly RemoteFile[],
): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  const needed = files.reduce((sum, { bytes = 0 }) => sum + bytes, 0)
  const free = bavail * bsize
  if (needed <= free) return
  const where = dirname(folder)
  const problem = `expected ${megabytes(needed)} free in ${where}, found ${megabytes(free)}`
  throw new ModelPullError(name, `${problem}; --models-dir puts models elsewhere`)
}

const megabytes = (bytes: number) => `${Math.ceil(bytes / 1e6)} MB`

/** However a system says that there is no room left. */
async function diskErrors<T>(name: string, task: () => Promise<T>): Promise<T> {
  try {
    return await task()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (!['ENOSPC', 'EDQUOT', 'EFBIG'].includes(code)) throw error
    const problem = `the disk is full (${code}); make room, and the same command goes on from here`
    throw new ModelPullError(name, problem, { cause: error })
  }
}

/** Whatever it is called on the hub; its external data keep the names that it knows them by. */
async function nameNetwork(staging: string, network: string): Promise<void> {
  const named = installedNetwork(network)
  if (named !== network) await rename(join(staging, network), join(staging, named))
}

const installedNetwork = (network: string) => posix.join(posix.dirname(network), 'model.onnx')

/** Under the paths that they have now; what a network was made of is gone. */
const installedFiles = (fetched: readonly FetchedFile[], { network, weights }: NeededFiles) =>
  fetched
    .filter(({ path }) => !weights.includes(path))
    .map((file) => (file.path === network ? { ...file, path: installedNetwork(network) } : file))
