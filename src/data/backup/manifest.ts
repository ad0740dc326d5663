/** The list of a backup's files with their checksums. It is written last: a backup without it is half-written. */
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import * as v from 'valibot'
import { BackupError } from '../../base/errors/index.js'
import { makeFolder } from '../../base/util/make-folder.js'
import { syncFileSync } from '../../base/util/sync-to-disk.js'

export const manifestName = 'backup.json'

const file = v.object({
  /** In the backup: below `data` or `embeddings`. */
  path: v.pipe(
    v.string(),
    v.regex(/^(?:data|embeddings)(?:\/[^/\\\0]+)+$/),
    v.check((path) => !path.split('/').includes('..')),
  ),
  bytes: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
  sha256: v.pipe(v.string(), v.regex(/^[\da-f]{64}$/)),
})
export type BackupFile = v.InferOutput<typeof file>

const manifest = v.object({
  format: v.literal(1),
  /** Program and version. */
  by: v.string(),
  createdAt: v.string(),
  files: v.array(file),
})
export type BackupManifest = v.InferOutput<typeof manifest>

/** @throws BackupError */
export function readBackupManifest(folder: string): BackupManifest {
  let text: string
  try {
    text = readFileSync(join(folder, manifestName), 'utf8')
  } catch (cause) {
    const problem = `has no ${manifestName}: it is no backup, or one that was not finished`
    throw new BackupError(folder, problem, { cause })
  }
  const read = v.safeParse(v.pipe(v.string(), v.parseJson(), manifest), text)
  if (read.success) return read.output
  throw new BackupError(join(folder, manifestName), 'is damaged, or of a newer version of Synoptic')
}

/** Copies a file to disk and hashes what it copies. */
export async function copyHashed(
  from: string,
  to: string,
  end?: number,
): Promise<Omit<BackupFile, 'path'>> {
  makeFolder(dirname(to))
  const hash = createHash('sha256')
  let bytes = 0
  const options = end === undefined ? {} : { end: end - 1 }
  const source: Readable = end === 0 ? Readable.from([]) : createReadStream(from, options)
  await pipeline(
    source,
    async function* (chunks: Readable) {
      for await (const chunk of chunks as AsyncIterable<Buffer>) {
        hash.update(chunk)
        bytes += chunk.length
        yield chunk
      }
    },
    createWriteStream(to),
  )
  syncFileSync(to)
  return { bytes, sha256: hash.digest('hex') }
}
