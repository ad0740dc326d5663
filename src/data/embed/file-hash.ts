/** Hashes of files: the whole, and a glance that costs the same for any size. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'

const edgeBytes = 16 * 1024

/** SHA-256 of a file's size, first and last 16 KiB: detects another or a torn file at once. */
export async function hashEdges(path: string): Promise<{ bytes: number; edges: string }> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const hash = createHash('sha256').update(`${size}\n`)
    for (const position of [0, Math.max(0, size - edgeBytes)]) {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(edgeBytes), 0, edgeBytes, position)
      hash.update(buffer.subarray(0, bytesRead))
    }
    return { bytes: size, edges: hash.digest('hex') }
  } finally {
    await file.close()
  }
}

/** SHA-256 of all of it. */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path, { highWaterMark: 2 ** 20 }), hash)
  return hash.digest('hex')
}
