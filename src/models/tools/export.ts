/** Models that are published without an ONNX file: made from PyTorch's weights by Hugging Face Optimum. */
import { cp, lstat, readdir, realpath, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { ModelAddError } from '../../base/errors/index.js'
import type { ModelKind } from '../registry/registry.js'
import { temporaryFor, findModel, replaceFolder, tryFolder } from './install.js'
import { type PullOptions, type PulledModel, pullModel } from './pull.js'
import { type PythonTask, runPython } from './python.js'

export interface ExportOptions
  extends Omit<PullOptions, 'dtype' | 'makeNetwork'>, Pick<PythonTask, 'onLine'> {
  /** Folder with PyTorch's weights; fetched from the hub where absent. */
  readonly from?: string | undefined
}

/** Rejects with what `pullModel` rejects with, a ModelAddError or a PythonError; nothing is installed then. */
export async function exportModel(options: ExportOptions): Promise<PulledModel> {
  const { from, onLine, signal, modelsDir } = options
  const makeNetwork = (folder: string, kind: ModelKind) =>
    runPython({
      script: 'export_model.py',
      words: [folder, kind],
      packages: ['optimum-onnx[onnxruntime]', 'sentence-transformers', 'torch'],
      modules: ['optimum.exporters.onnx', 'sentence_transformers'],
      environmentFolder: join(modelsDir, '.python-export'),
      onLine,
      signal,
    })
  if (from === undefined) return pullModel({ ...options, dtype: 'fp32', makeNetwork })
  return exportFolder({ ...options, from }, makeNetwork)
}

async function exportFolder(
  { name: requestedName, modelsDir, replace, from }: ExportOptions & { readonly from: string },
  makeNetwork: NonNullable<PullOptions['makeNetwork']>,
): Promise<PulledModel> {
  const model = findModel(requestedName, { modelsDir })
  const { name, folder, builtin } = model
  if (builtin) throw new ModelAddError(name, 'it ships with the program and cannot be replaced')
  const source = await realpath(from).catch(() => undefined)
  if (source === undefined) throw new ModelAddError(name, `there is no folder ${from}`)
  const isTaken = (await lstat(folder).catch(() => undefined)) !== undefined
  if (isTaken && !replace) return { name, folder, wasThere: true }
  const temporary = temporaryFor(folder)
  try {
    await cp(source, temporary, { recursive: true, dereference: true })
    await makeNetwork(temporary, model.kind)
    for (const weights of await weightsOf(temporary)) await rm(weights)
    const { problem, ...facts } = await tryFolder(model, temporary)
    if (problem !== undefined) throw new ModelAddError(name, problem)
    await replaceFolder(temporary, folder)
    return { name, folder, wasThere: false, ...facts }
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
}

/** The weights of the network, in the folder of its config.json; a Dense keeps its own. */
async function weightsOf(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true })
  return names
    .filter((name) => /^(0_\w+[\\/])?[^\\/]+$/.test(name))
    .filter((name) => /^(model|pytorch_model)[\w-]*\.(safetensors|bin)/.test(basename(name)))
    .map((name) => join(folder, name))
}
