/** Writes all of some bytes. */
import type { FileHandle } from 'node:fs/promises'
import { nameFile } from './system-reason.js'

/**
 * A write may take less than it is given.
 * @param path of the file, which errors name
 */
export async function writeAll(
  file: FileHandle,
  path: string,
  chunk: Uint8Array,
  position: number,
): Promise<void> {
  try {
    for (let done = 0; done < chunk.length;) {
      const { bytesWritten } = await file.write(chunk, done, chunk.length - done, position + done)
      done += bytesWritten
    }
  } catch (error) {
    throw nameFile(error, path)
  }
}
