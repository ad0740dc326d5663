/** Files that are written as they are fetched, so that a transfer goes on where it stopped. */
import type { Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'

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
