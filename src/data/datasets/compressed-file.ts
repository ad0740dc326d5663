/** Bytes of a file, unpacked where it is gzip or zstd, whatever its name is. */
import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { pipeline, Transform } from 'node:stream'
import * as zlib from 'node:zlib'
import { Decompress } from 'fzstd'
import { DataImportError } from '../../base/errors/index.js'
import { codeOf } from './cause.js'
import { systemReason } from '../../base/util/system-reason.js'

const pieceBytes = 256 * 1024
const magic = { gzip: Buffer.from('1f8b', 'hex'), zstd: Buffer.from('28b52ffd', 'hex') }

/** Texts are a tenth when they are packed, numbers and white space less; a gigabyte of nothing is a thousandth. */
const maxExpansion = 200
const minUnpackedBytes = 64 * 2 ** 20

type Compression = keyof typeof magic

/**
 * @param onBytes called with the bytes of the file that were read, before they are unpacked
 * @throws DataImportError where the file cannot be read or unpacked
 */
export async function* readBytes(
  path: string,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  const compression = await compressionOf(path)
  try {
    const source = counted(path, onBytes)
    const bytes =
      compression === undefined
        ? source
        : pipeline(source, createDecompressor(compression), () => undefined)
    const { size } = await stat(path)
    const most = compression === undefined ? Infinity : minUnpackedBytes + size * maxExpansion
    let unpacked = 0
    for await (const piece of bytes) {
      unpacked += (piece as Buffer).length
      if (unpacked > most) {
        throw new DataImportError(
          path,
          `is ${compression} of more than ${most} bytes; unpack it first`,
        )
      }
      yield piece as Buffer
    }
  } catch (cause) {
    if (cause instanceof DataImportError) throw cause
    if (compression === undefined || !isDamage(cause)) {
      throw new DataImportError(path, `cannot be read: ${systemReason(cause)}`, { cause })
    }
    const problem = `is not whole: it ends early or is no ${compression} (${codeOf(cause)})`
    throw new DataImportError(path, `${problem}; fetch it again`, { cause })
  }
}

async function* counted(path: string, onBytes: (bytes: number) => void): AsyncGenerator<Buffer> {
  for await (const piece of createReadStream(path, { highWaterMark: pieceBytes })) {
    onBytes((piece as Buffer).length)
    yield piece as Buffer
  }
}

/** The first bytes, unpacked; fewer where the file ends before. */
export async function readHead(path: string, length: number): Promise<Buffer> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of readBytes(path, () => undefined)) {
    pieces.push(piece)
    size += piece.length
    if (size >= length) break
  }
  return Buffer.concat(pieces).subarray(0, length)
}

async function compressionOf(path: string): Promise<Compression | undefined> {
  const first = Buffer.alloc(4)
  try {
    const file = await open(path)
    try {
      await file.read(first, 0, first.length, 0)
    } finally {
      await file.close()
    }
  } catch (cause) {
    throw new DataImportError(path, `cannot be read: ${systemReason(cause)}`, { cause })
  }
  const names = Object.keys(magic) as Compression[]
  return names.find((name) => first.subarray(0, magic[name].length).equals(magic[name]))
}

/** Node has zstd since 22.15; before, a decompressor in JavaScript reads it, some five times slower. */
const { createZstdDecompress } = zlib as typeof zlib & {
  readonly createZstdDecompress?: () => Transform
}

function createDecompressor(compression: Compression): Transform {
  if (compression === 'gzip') return zlib.createGunzip()
  return createZstdDecompress === undefined ? createFzstd() : createZstdDecompress()
}

function createFzstd(): Transform {
  const stream = new Decompress()
  return new Transform({
    transform(piece: Buffer, _encoding, done) {
      stream.ondata = (bytes) => this.push(bytes)
      done(failureOf(() => void stream.push(piece)))
    },
    flush(done) {
      done(failureOf(() => void stream.push(new Uint8Array(0), true)))
    },
  })
}

function failureOf(run: () => void): Error | null {
  try {
    run()
    return null
  } catch (cause) {
    return Object.assign(new Error('is damaged', { cause }), { code: 'ZSTD_error_damaged' })
  }
}

const isDamage = (cause: unknown) => /^(Z_|ZSTD_)/.test(codeOf(cause))
