/** The one file of a tar archive, which may be compressed. */
import { createReadStream, createWriteStream, rmSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { Parser, type ReadEntry } from 'tar'
import { DataImportError } from '../../../base/errors/index.js'
import { nameFile } from '../../../base/util/system-reason.js'
import { codeOf } from '../cause.js'

export interface PackedHead {
  readonly name: string
  /** Its first bytes, as far as the head of the archive has them. */
  readonly head: Buffer
}

/** A file that cannot be read or written, as on a full disk. */
const isOfSystem = (cause: unknown) => cause instanceof Error && 'syscall' in cause

const isTar = (bytes: Buffer) => bytes.subarray(257, 262).toString('latin1') === 'ustar'

/**
 * What the first file of an archive is; undefined where it is not an archive, or has no file.
 * @param bytes the first of the archive, unpacked
 */
export function packedHead(bytes: Buffer): PackedHead | undefined {
  if (!isTar(bytes)) return undefined
  let found: { readonly name: string; readonly pieces: Buffer[] } | undefined
  const parser = new Parser({
    onReadEntry(entry) {
      if (found !== undefined || entry.type !== 'File') {
        entry.resume()
        return
      }
      const pieces: Buffer[] = []
      found = { name: entry.path, pieces }
      entry.on('data', (piece) => pieces.push(piece))
    },
  })
  parser.write(bytes)
  return found && { name: found.name, head: Buffer.concat(found.pieces) }
}

/**
 * Writes the first file of the archive to a path.
 * @throws DataImportError where the archive is damaged or ends early, and what the file system throws
 */
export async function unpackFirst(
  archive: string,
  into: string,
  onBytes: (bytes: number) => void,
): Promise<void> {
  let writing: { readonly entry: ReadEntry; readonly done: Promise<void> } | undefined
  const parser = new Parser({
    strict: true,
    onReadEntry(entry) {
      if (writing !== undefined || entry.type !== 'File') {
        entry.resume()
        return
      }
      writing = { entry, done: pipeline(entry, createWriteStream(into)) }
      // It is awaited once the archive was read.
      writing.done.catch(() => undefined)
    },
  })
  const source = createReadStream(archive, { highWaterMark: 256 * 1024 })
  source.on('data', (piece) => onBytes(piece.length))
  try {
    await pipeline(source, parser)
    await writing?.done
  } catch (cause) {
    writing?.entry.destroy()
    rmSync(into, { force: true })
    if (isOfSystem(cause)) throw nameFile(cause, into)
    const problem = `is not a whole archive (${codeOf(cause)}); fetch it again`
    throw new DataImportError(archive, problem, { cause })
  }
}
