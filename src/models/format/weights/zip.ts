/** The files of a ZIP archive that stores them uncompressed, as PyTorch writes its checkpoints. */
import { ModelFileError } from '../model-files.js'

const endSignature = 0x06054b50
const entrySignature = 0x02014b50
const localSignature = 0x04034b50
const endBytes = 22
const maxCommentBytes = 65_535

/** By their names. Throws a ModelFileError; larger archives (ZIP64) are refused. */
export function readStoredZip(archive: Buffer): Map<string, Buffer> {
  const files = new Map<string, Buffer>()
  const end = findEnd(archive)
  const count = archive.readUInt16LE(end + 10)
  let at = archive.readUInt32LE(end + 16)
  try {
    for (let i = 0; i < count; i++) {
      if (archive.readUInt32LE(at) !== entrySignature) throw broken('its list of files is torn')
      const method = archive.readUInt16LE(at + 10)
      const size = archive.readUInt32LE(at + 24)
      const nameLength = archive.readUInt16LE(at + 28)
      const name = archive.toString('utf8', at + 46, at + 46 + nameLength)
      if (method !== 0) throw broken(`${name} is compressed`)
      files.set(name, readLocal(archive, archive.readUInt32LE(at + 42), size))
      at += 46 + nameLength + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32)
    }
  } catch (error) {
    if (error instanceof RangeError) throw broken('it is cut off')
    throw error
  }
  return files
}

function findEnd(archive: Buffer): number {
  const first = Math.max(0, archive.length - endBytes - maxCommentBytes)
  for (let at = archive.length - endBytes; at >= first; at--) {
    if (archive.readUInt32LE(at) === endSignature) return at
  }
  throw broken('it is no ZIP archive; save it with PyTorch 1.6 or later, or as model.safetensors')
}

function readLocal(archive: Buffer, at: number, size: number): Buffer {
  if (archive.readUInt32LE(at) !== localSignature) throw broken('a file is not where it should be')
  const start = at + 30 + archive.readUInt16LE(at + 26) + archive.readUInt16LE(at + 28)
  if (start + size > archive.length) throw broken('it is cut off')
  return archive.subarray(start, start + size)
}

const broken = (problem: string) => new ModelFileError(`pytorch_model.bin: ${problem}`)
