/** How much memory a model takes, by its files, and how much all models may take. */
import { readdir, stat } from 'node:fs/promises'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import type { ModelKind, ResolvedModel } from './registry.js'

const mebibyte = 2 ** 20

/**
 * In addition to its weights a model has a thread, a tokenizer and what its batches leave in the arena of ONNX
 * Runtime. Measured over the weights: 16 to 30 MB with a static model, 14 to 30 MB with
 * all-MiniLM-L6-v2, 130 to 170 MB with a cross-encoder of its shape after batches of 32 pairs of 128
 * tokens.
 */
const besides: Readonly<Record<ModelKind, number>> = {
  encoder: 32 * mebibyte,
  'cross-encoder': 160 * mebibyte,
}

/**
 * What a model counts with against the limit: by its files where they are here, else by its parameters
 * in float32. Undefined where neither says, as of a ranker that is not a network.
 */
export async function memoryNeed(
  model: Pick<ResolvedModel, 'folder' | 'installed' | 'parameters' | 'kind'>,
): Promise<number | undefined> {
  const bytes = await weightBytes(model)
  return bytes === undefined ? undefined : bytes + besides[model.kind]
}

/** Of its network alone; undefined where neither its files nor the catalogue tell. */
export async function weightBytes({
  folder,
  installed,
  parameters,
}: Pick<ResolvedModel, 'folder' | 'installed' | 'parameters'>): Promise<number | undefined> {
  const found = installed ? await networkBytes(folder) : 0
  return found > 0 ? found : parameters && parameters * Float32Array.BYTES_PER_ELEMENT
}

/** @param folder in the layout of sentence-transformers, the network in `onnx` */
export async function modelBytes(folder: string, kind: ModelKind): Promise<number> {
  return (await networkBytes(folder)) + besides[kind]
}

/** Its ONNX file and external data, in the root or in the folder of its first module. */
async function networkBytes(folder: string): Promise<number> {
  // What is wrong with the files shows when they are loaded.
  const folders = ['', ...(await readdir(folder).catch(() => []))].map((name) =>
    join(folder, name, 'onnx'),
  )
  const sizes = await Promise.all(
    folders.map(async (folder) => {
      const names = await readdir(folder).catch(() => [])
      const files = names.filter((name) => name.startsWith('model.onnx'))
      return Promise.all(files.map((name) => stat(join(folder, name)).then(sizeOf, () => 0)))
    }),
  )
  return sizes.flat().reduce((sum, size) => sum + size, 0)
}

const sizeOf = ({ size }: { size: number }) => size

/** @param limitMiB 0 shares half of the machine's memory, or of the container's, among the processes */
export function modelMemoryLimit(limitMiB: number, processes: number): number {
  if (limitMiB > 0) return limitMiB * mebibyte
  const container = process.constrainedMemory() || Infinity
  return Math.min(totalmem(), container) / 2 / processes
}
