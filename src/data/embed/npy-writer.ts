/** Writes a matrix of float32 as a `.npy` file, row by row, and hashes it on the way. */
import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { createBlockHasher } from '../../native/addon/block-hashes.js'
import { nameFile } from '../../base/util/system-reason.js'

export interface NpyShape {
  readonly rows: number
  readonly dimension: number
}

/** Owns the file until it is finished or abandoned. */
export interface NpyWriter {
  /** @param values whole rows */
  write(values: Float32Array): Promise<void>
  /** Ends the file and puts it on disk; returns its size, SHA-256 and the hashes of its blocks in base64. */
  finish(): Promise<{ bytes: number; sha256: string; blocks: string }>
  /** Closes the file as it is. */
  abandon(): Promise<void>
}

/**
 * Huge pages have 2 MiB. Writes of whole ones leave them in the page cache of file systems that have such,
 * and a program that maps the file gets them: a scan after a pause takes an eighth less time.
 */
const pieceBytes = 2 << 20

/** The file is torn until `finish`: write a temporary file and rename it then. */
export async function openNpyWriter(path: string, shape: NpyShape): Promise<NpyWriter> {
  const file = await open(path, 'w')
  const hash = createHash('sha256')
  const blocks = createBlockHasher()
  const piece = Buffer.alloc(pieceBytes)
  let filled = 0
  let bytes = 0
  let valuesLeft = shape.rows * shape.dimension

  async function append(chunk: Uint8Array): Promise<void> {
    hash.update(chunk)
    blocks.add(chunk)
    bytes += chunk.length
    for (let taken = 0; taken < chunk.length;) {
      const part = chunk.subarray(taken, taken + pieceBytes - filled)
      piece.set(part, filled)
      taken += part.length
      filled += part.length
      if (filled === pieceBytes) await flush()
    }
  }

  async function flush(): Promise<void> {
    try {
      await writeAll(file, piece.subarray(0, filled))
    } catch (error) {
      throw nameFile(error, path)
    }
    filled = 0
  }

  await append(npyHeader(shape))
  return {
    async write(values) {
      valuesLeft -= values.length
      if (valuesLeft < 0 || values.length % shape.dimension !== 0) {
        throw new RangeError(
          `expected whole rows, at most ${shape.rows}, got ${values.length} values`,
        )
      }
      await append(new Uint8Array(values.buffer, values.byteOffset, values.byteLength))
    },
    async finish() {
      try {
        if (valuesLeft > 0) {
          throw new RangeError(`expected ${shape.rows} rows, ${valuesLeft} values are missing`)
        }
        await flush()
        await file.sync()
      } finally {
        await file.close()
      }
      return { bytes, sha256: hash.digest('hex'), blocks: blocks.digest().toString('base64') }
    },
    abandon: () => file.close(),
  }
}

/** Version 1.0; its length is a multiple of 64, so that mapped rows are aligned. */
export function npyHeader({ rows, dimension }: NpyShape): Buffer {
  const text = `{'descr': '<f4', 'fortran_order': False, 'shape': (${rows}, ${dimension}), }`
  const fixed = 10
  const length = Math.ceil((fixed + text.length + 1) / 64) * 64
  const header = Buffer.alloc(length, ' ')
  header.write('\x93NUMPY\x01\x00', 'latin1')
  header.writeUInt16LE(length - fixed, 8)
  header.write(text, fixed, 'latin1')
  header.write('\n', length - 1)
  return header
}

/** A write may take less than it is given. */
async function writeAll(file: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let written = 0; written < chunk.length;) {
    const { bytesWritten } = await file.write(chunk, written)
    written += bytesWritten
  }
}
