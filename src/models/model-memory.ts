/** How much memory a model takes, told by its files; and how much all of them may. */
import { readdir, stat } from 'node:fs/promises'
import { totalmem } from 'node:os'
import { join } from 'node:path'

const mebibyte = 2 ** 20

/**
 * Beside its weights a model has a thread, a tokenizer and what its batches leave in the arena of ONNX
 * Runtime. Measured over the weights: 16 to 30 MB with a static model, 14 to 30 MB with
 * all-MiniLM-L6-v2, 130 to 170 MB with a cross-encoder of its shape after batches of 32 pairs of 128
 * tokens.
 */
const besides = { encoder: 32 * mebibyte, 'cross-encoder': 160 * mebibyte }

/** @param folder in the layout of sentence-transformers, the network in `onnx` */
export async function modelBytes(folder: string, kind: keyof typeof besides): Promise<number> {
  const place = join(folder, 'onnx')
  // What is wrong with the files shows when they are loaded.
  const names = await readdir(place).catch(() => [])
  const sizes = await Promise.all(
    names
      .filter((name) => name.startsWith('model.onnx'))
      .map((name) => stat(join(place, name)).then(sizeOf, () => 0)),
  )
  return sizes.reduce((sum, size) => sum + size, besides[kind])
}

const sizeOf = ({ size }: { size: number }) => size

/** @param limitMiB 0 shares half of the machine's memory, or of the container's, among the processes */
export function modelMemoryLimit(limitMiB: number, processes: number): number {
  if (limitMiB > 0) return limitMiB * mebibyte
  const container = process.constrainedMemory() || Infinity
  return Math.min(totalmem(), container) / 2 / processes
}
