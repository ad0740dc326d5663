/** Files that are written as they are fetched, so that a transfer goes on where it stopped. */
import type { Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, stat } from 'node:fs/promises'

/** Adds what a file has to the hash. */
export async function hashPart(hash: Hash, path: string): Promise<void> {
  for await (const chunk of createReadStream(path, { highWaterMark: 2 ** 20 })) {
    hash.update(chunk as Buffer)
  }
}

/** Undefined where there is no file. */
export async function sizeOf(path: string): Promise<number | undefined> {
  const found = await stat(path).catch(() => undefined)
  return found?.isFile() === true ? found.size : undefined
}

/** A write may take less than it is given. */
export async function writeAll(
  file: FileHandle,
  chunk: Uint8Array,
  position: number,
): Promise<void> {
  for (let done = 0; done < chunk.length;) {
    const { bytesWritten } = await file.write(chunk, done, chunk.length - done, position + done)
    done += bytesWritten
  }
}
