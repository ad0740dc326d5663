/**
 * The vectors that a build has so far, on disk: a build that is killed goes on with them. Vectors are
 * on disk before the hash of their text is written, so what has a hash is whole. Each is written to its
 * place, so that what a full disk took in part is written over by what comes next.
 */
import {
  closeSync,
  constants,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { nameFile } from '../../base/util/system-reason.js'
import { hashBytes, keyAt } from './texts.js'

export interface Journal {
  /** Keys of the texts that have a vector, in the order of the vectors. */
  readonly keys: readonly string[]
  /** File of the vectors, one after the other. */
  readonly vectorsPath: string
  append(keys: readonly string[], vectors: Float32Array): void
  /** Puts everything on disk. Idempotent. */
  close(): void
}

/** What is lost by a kill at most. */
const checkpointMs = 2000

/** @param identity what the vectors depend on; a journal of another one begins again */
export function openJournal(folder: string, dimension: number, identity: string): Journal {
  begin(folder, identity)
  const vectorBytes = dimension * Float32Array.BYTES_PER_ELEMENT
  const vectorsPath = join(folder, 'vectors.bin')
  const vectors = openSync(vectorsPath, constants.O_RDWR | constants.O_CREAT)
  const hashesPath = join(folder, 'hashes.bin')
  const hashes = openSync(hashesPath, constants.O_RDWR | constants.O_CREAT)
  const whole = Math.min(
    Math.floor(fstatSync(hashes).size / hashBytes),
    Math.floor(fstatSync(vectors).size / vectorBytes),
  )
  ftruncateSync(hashes, whole * hashBytes)
  ftruncateSync(vectors, whole * vectorBytes)
  const known = readFileSync(hashesPath)
  const keys = Array.from({ length: whole }, (_, n) => keyAt(known, n))
  let written = keys.length
  let savedMs = -Infinity
  let isClosed = false

  function save(): void {
    fdatasyncSync(vectors)
    writeAll(
      { file: hashes, path: hashesPath },
      Buffer.from(keys.slice(written).join(''), 'latin1'),
      written * hashBytes,
    )
    written = keys.length
    savedMs = performance.now()
  }

  return {
    keys,
    vectorsPath,
    append(added, values) {
      const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength)
      writeAll({ file: vectors, path: vectorsPath }, bytes, keys.length * vectorBytes)
      keys.push(...added)
      if (performance.now() - savedMs > checkpointMs) save()
    },
    close() {
      if (isClosed) return
      isClosed = true
      try {
        save()
      } finally {
        closeSync(vectors)
        closeSync(hashes)
      }
    },
  }
}

function begin(folder: string, identity: string): void {
  const file = join(folder, 'identity')
  try {
    if (readFileSync(file, 'utf8') === identity) return
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
  }
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  try {
    writeFileSync(file, identity)
  } catch (error) {
    throw nameFile(error, file)
  }
}

/** A write may take less than it is given. */
function writeAll(
  { file, path }: { readonly file: number; readonly path: string },
  bytes: Uint8Array,
  position: number,
): void {
  try {
    for (let done = 0; done < bytes.length;) {
      done += writeSync(file, bytes, done, bytes.length - done, position + done)
    }
  } catch (error) {
    throw nameFile(error, path)
  }
}
