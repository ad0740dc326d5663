/** Vectors in a file, read one at a time. */
import { closeSync, openSync, readSync } from 'node:fs'

export interface VectorFile {
  /** Copies vector n to `target` at `offset`. */
  read(n: number, target: Float32Array, offset: number): void
  close(): void
}

/** @param start where vector 0 begins; taken from the header of a `.npy` file when omitted */
export function openVectorFile(path: string, dimension: number, start?: number): VectorFile {
  const file = openSync(path, 'r')
  const begin = start ?? npyStart(file)
  const bytes = dimension * Float32Array.BYTES_PER_ELEMENT
  return {
    read(n, target, offset) {
      const part = new Uint8Array(target.buffer, target.byteOffset + offset * 4, bytes)
      const found = readSync(file, part, 0, bytes, begin + n * bytes)
      if (found !== bytes) throw new Error(`vector ${n}: expected ${bytes} bytes, found ${found}`)
    },
    close: () => closeSync(file),
  }
}

/** Versions of the format differ in how they write the length of the header. */
function npyStart(file: number): number {
  const fixed = Buffer.alloc(12)
  readSync(file, fixed, 0, fixed.length, 0)
  const [version = 1] = fixed.subarray(6)
  return version === 1 ? 10 + fixed.readUInt16LE(8) : 12 + fixed.readUInt32LE(8)
}
