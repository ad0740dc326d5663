/**
 * Named typed arrays as one blob, and back without a copy. The head has a mark, a version, a checksum of
 * all that follows it, and the names, types and lengths of the arrays as JSON; each array is aligned.
 */
import { crc32 } from 'node:zlib'
import { TitleIndexError } from '../errors/index.js'

export interface Section {
  readonly name: string
  readonly array: Uint8Array | Uint32Array | Float64Array
}

/** Raised with every change that an older or newer program would misread. */
export const blobVersion = 1

/** "SYTI" in the order of the file. */
const mark = 0x49545953
/** Mark, version, checksum, bytes of the table; all 32 bits. */
const headBytes = 16
/** That of the widest array. */
const alignment = 8

const types = {
  u8: Uint8Array,
  u32: Uint32Array,
  f64: Float64Array,
} as const
type TypeName = keyof typeof types

/** Arrays are stored as this processor has them; every processor that Node runs on is little-endian. */
export const packSections = (sections: readonly Section[]): Uint8Array =>
  Buffer.concat(packInPieces(sections))

/** The same bytes in pieces; the large ones are the arrays themselves. */
export function packInPieces(sections: readonly Section[]): Uint8Array[] {
  const table = sections.map(({ name, array }) => [name, typeOf(array), array.length])
  const tableText = Buffer.from(JSON.stringify(table))
  const head = new Uint8Array(aligned(headBytes + tableText.length))
  head.set(tableText, headBytes)
  // Node's crc32 of an empty piece is 0, whatever came before.
  const arrays = sections
    .flatMap(({ array: { buffer, byteOffset, byteLength } }) => [
      new Uint8Array(buffer, byteOffset, byteLength),
      new Uint8Array(aligned(byteLength) - byteLength),
    ])
    .filter(({ length }) => length > 0)
  const sum = arrays.reduce(
    (before, piece) => crc32(piece, before),
    crc32(head.subarray(headBytes)),
  )
  const view = new DataView(head.buffer)
  view.setUint32(0, mark, true)
  view.setUint32(4, blobVersion, true)
  view.setUint32(8, sum, true)
  view.setUint32(12, tableText.length, true)
  return [head, ...arrays]
}

export interface OpenSections {
  u8(name: string): Uint8Array
  u32(name: string): Uint32Array
  f64(name: string): Float64Array
}

/** The arrays are views of the bytes, which must not change; bytes that lie askew are copied once. */
export function openSections(given: Uint8Array): OpenSections {
  const bytes = given.byteOffset % alignment === 0 ? given : given.slice()
  const tableBytes = checkHead(bytes)
  const arrays = new Map<string, Section['array']>()
  let offset = aligned(headBytes + tableBytes)
  for (const [name, type, length] of readTable(bytes, tableBytes)) {
    const Type = types[type]
    const byteLength = length * Type.BYTES_PER_ELEMENT
    if (offset + byteLength > bytes.length) throw damaged(`its part ${name} is cut off`)
    arrays.set(name, new Type(bytes.buffer as ArrayBuffer, bytes.byteOffset + offset, length))
    offset = aligned(offset + byteLength)
  }
  return readArrays(arrays)
}

/** The same of arrays that are not packed. */
export const openArrays = (sections: readonly Section[]): OpenSections =>
  readArrays(new Map(sections.map(({ name, array }) => [name, array])))

function readArrays(arrays: ReadonlyMap<string, Section['array']>): OpenSections {
  function find<T extends Section['array']>(name: string, Type: new (length: number) => T): T {
    const array = arrays.get(name)
    if (!(array instanceof Type)) throw damaged(`its part ${name} is missing`)
    return array
  }
  return {
    u8: (name) => find(name, Uint8Array),
    u32: (name) => find(name, Uint32Array),
    f64: (name) => find(name, Float64Array),
  }
}

function checkHead(bytes: Uint8Array): number {
  if (bytes.length < headBytes) {
    throw damaged(`expected at least ${headBytes} bytes, received ${bytes.length}`)
  }
  const head = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  if (head.getUint32(0, true) !== mark) throw damaged('it does not begin with SYTI')
  const version = head.getUint32(4, true)
  if (version !== blobVersion) {
    throw new TitleIndexError('version', `expected version ${blobVersion}, received ${version}`)
  }
  if (head.getUint32(8, true) !== crc32(bytes.subarray(headBytes))) {
    throw damaged('its checksum does not match its content')
  }
  return head.getUint32(12, true)
}

function readTable(bytes: Uint8Array, tableBytes: number): [string, TypeName, number][] {
  try {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset + headBytes, tableBytes).toString()
    return JSON.parse(text) as [string, TypeName, number][]
  } catch (error) {
    throw new TitleIndexError('damaged', 'its table cannot be read', { cause: error })
  }
}

function damaged(problem: string): TitleIndexError {
  return new TitleIndexError('damaged', problem)
}

function typeOf(array: Section['array']): TypeName {
  if (array instanceof Uint8Array) return 'u8'
  return array instanceof Uint32Array ? 'u32' : 'f64'
}

function aligned(bytes: number): number {
  return Math.ceil(bytes / alignment) * alignment
}
