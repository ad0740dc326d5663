/** The libraries that a shared library of Linux needs: the DT_NEEDED entries of an ELF file of 64 bits. */
import { closeSync, openSync, readSync } from 'node:fs'

type Read = (offset: bigint, bytes: bigint) => Buffer

/** In their order. @throws Error where the file is no such library, or what opening it throws */
export function neededLibraries(file: string): string[] {
  const handle = openSync(file, 'r')
  try {
    return readNeeded((offset, bytes) => {
      const buffer = Buffer.alloc(Number(bytes))
      const read = readSync(handle, buffer, 0, buffer.length, offset)
      if (read < buffer.length) throw new Error(`${file}: expected a library, found a part of one`)
      return buffer
    }, file)
  } finally {
    closeSync(handle)
  }
}

/** Kinds of segments and of dynamic entries. */
const [load, dynamic] = [1, 2]
const [needed, strings, stringsSize] = [1n, 5n, 10n]
const entryBytes = 16

function readNeeded(read: Read, file: string): string[] {
  const header = read(0n, 64n)
  // 64 bits, little-endian.
  if (!header.subarray(0, 6).equals(Buffer.from('\x7fELF\x02\x01', 'latin1')))
    throw new Error(`${file}: expected a library of Linux on x64 or arm64, found something else`)
  const [bytes, count] = [header.readUInt16LE(54), header.readUInt16LE(56)]
  const table = read(header.readBigUInt64LE(32), BigInt(bytes * count))
  const segments = Array.from({ length: count }, (_, number) => {
    const at = number * bytes
    return {
      kind: table.readUInt32LE(at),
      offset: table.readBigUInt64LE(at + 8),
      address: table.readBigUInt64LE(at + 16),
      size: table.readBigUInt64LE(at + 32),
    }
  })
  const section = segments.find(({ kind }) => kind === dynamic)
  if (section === undefined) return []
  const entries = entriesOf(read(section.offset, section.size))
  const valueOf = (tag: bigint) => entries.find((entry) => entry.tag === tag)?.value ?? 0n
  const address = valueOf(strings)
  const home = segments.find(
    (one) => one.kind === load && one.address <= address && address < one.address + one.size,
  )
  if (home === undefined) return []
  const names = read(home.offset + address - home.address, valueOf(stringsSize))
  return entries
    .filter(({ tag }) => tag === needed)
    .map(({ value }) => names.toString('latin1', Number(value), names.indexOf(0, Number(value))))
}

function entriesOf(section: Buffer) {
  return Array.from({ length: Math.floor(section.length / entryBytes) }, (_, number) => ({
    tag: section.readBigUInt64LE(number * entryBytes),
    value: section.readBigUInt64LE(number * entryBytes + 8),
  }))
}
