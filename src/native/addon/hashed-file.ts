/**
 * Hashes of a file's blocks at the end of the file itself: they are renamed, copied and removed with it.
 *
 *   8 bytes a block | uint32 blocks | uint32 CRC-32 of all before | "SYNOHASH"
 */
import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { createBlockHasher } from './block-hashes.js'
import { type CheckedFile, openCheckedFile } from './checked-file.js'

const magic = Buffer.from('SYNOHASH')
const countBytes = 4
const fixedBytes = countBytes + 4 + magic.length
const hashBytes = 8
const pieceBytes = 2 ** 20

/** To be called once, when the file is whole. */
export function appendHashes(path: string): void {
  const file = openSync(path, 'r+')
  try {
    const hasher = createBlockHasher()
    const piece = Buffer.alloc(pieceBytes)
    let bytes = 0
    for (;;) {
      const read = readSync(file, piece, 0, pieceBytes, bytes)
      if (read === 0) break
      hasher.add(piece.subarray(0, read))
      bytes += read
    }
    const trailer = makeTrailer(hasher.digest())
    for (let done = 0; done < trailer.length;) {
      done += writeSync(file, trailer, done, trailer.length - done, bytes + done)
    }
  } finally {
    closeSync(file)
  }
}

function makeTrailer(hashes: Buffer): Buffer {
  const trailer = Buffer.alloc(hashes.length + fixedBytes)
  hashes.copy(trailer)
  trailer.writeUInt32LE(hashes.length / hashBytes, hashes.length)
  const sumAt = hashes.length + countBytes
  trailer.writeUInt32LE(crc32(trailer.subarray(0, sumAt)), sumAt)
  magic.copy(trailer, trailer.length - magic.length)
  return trailer
}

/** The file, to be compared with its hashes; undefined where they are not at its end as they were written. */
export function openHashed(path: string): CheckedFile | undefined {
  const trailer = readTrailer(path)
  return trailer && openCheckedFile(path, trailer.dataBytes, trailer.hashes)
}

function readTrailer(path: string): { dataBytes: number; hashes: Buffer } | undefined {
  const file = openSync(path, 'r')
  try {
    const { size } = fstatSync(file)
    const read = (bytes: number) => {
      const buffer = Buffer.alloc(Math.min(bytes, size))
      readSync(file, buffer, 0, buffer.length, size - buffer.length)
      return buffer
    }
    const fixed = read(fixedBytes)
    if (fixed.length < fixedBytes || !fixed.subarray(-magic.length).equals(magic)) return undefined
    const hashesBytes = fixed.readUInt32LE(0) * hashBytes
    if (hashesBytes + fixedBytes > size) return undefined
    const whole = read(hashesBytes + fixedBytes)
    const sumAt = hashesBytes + countBytes
    if (whole.readUInt32LE(sumAt) !== crc32(whole.subarray(0, sumAt))) return undefined
    return { dataBytes: size - whole.length, hashes: whole.subarray(0, hashesBytes) }
  } finally {
    closeSync(file)
  }
}
