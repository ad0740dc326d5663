/** Writes the sections of a `.rows` file one after the other; native/core/rows/row_index.h describes and reads it. */
import { crc32 } from 'node:zlib'

/** Takes bytes at a position, such as a file; they are its own from then on. */
export type Sink = (bytes: Uint8Array, position: number) => void

export interface RowIndexWriter {
  begin(section: string): void
  /** Adds bytes to the section that began last. */
  add(bytes: Uint8Array): void
  /** The last call. Returns how long the file is. */
  end(): number
}

interface Section {
  readonly name: string
  readonly offset: number
  bytes: number
}

const magic = 'SYNOROWS'
/** Raised with every change of the format, or of how the contents are computed. */
const formatVersion = 4
const headerBytes = 4096
const sumAt = 20
const tableAt = 64
const nameBytes = 32
const entryBytes = 48
const alignment = 64
/** Bytes that are collected before they go to the sink. */
const pieceBytes = 2 ** 20

/** @param version of the dataset, 64 hexadecimal digits */
export function createRowIndexWriter(
  sink: Sink,
  { rows, version }: { readonly rows: number; readonly version: string },
): RowIndexWriter {
  const sections: Section[] = []
  let length = headerBytes
  let piece = Buffer.alloc(pieceBytes)
  let filled = 0
  const flush = () => {
    if (filled === 0) return
    sink(piece.subarray(0, filled), length - filled)
    piece = Buffer.alloc(pieceBytes)
    filled = 0
  }
  const append = (bytes: Uint8Array) => {
    for (let taken = 0; taken < bytes.length;) {
      const part = bytes.subarray(taken, taken + pieceBytes - filled)
      piece.set(part, filled)
      filled += part.length
      taken += part.length
      length += part.length
      if (filled === pieceBytes) flush()
    }
  }
  return {
    begin(name) {
      append(Buffer.alloc((alignment - (length % alignment)) % alignment))
      sections.push({ name, offset: length, bytes: 0 })
    },
    add(bytes) {
      const section = sections.at(-1)
      if (section === undefined) throw new RangeError('expected a section to begin first')
      append(bytes)
      section.bytes += bytes.length
    },
    end() {
      flush()
      sink(headerOf(sections, { rows, version, length }), 0)
      return length
    },
  }
}

function headerOf(
  sections: readonly Section[],
  { rows, version, length }: { rows: number; version: string; length: number },
): Buffer {
  const header = Buffer.alloc(headerBytes)
  header.write(magic, 'latin1')
  header.writeUInt32LE(formatVersion, 8)
  header.writeUInt32LE(rows, 12)
  header.writeUInt32LE(sections.length, 16)
  header.writeBigUInt64LE(BigInt(length), 24)
  header.write(version, 32, 'hex')
  sections.forEach(({ name, offset, bytes }, position) => {
    const at = tableAt + position * entryBytes
    header.write(name, at, 'latin1')
    header.writeBigUInt64LE(BigInt(offset), at + nameBytes)
    header.writeBigUInt64LE(BigInt(bytes), at + nameBytes + 8)
  })
  const sum = crc32(header.subarray(sumAt + 4), crc32(header.subarray(0, sumAt)))
  header.writeUInt32LE(sum, sumAt)
  return header
}
