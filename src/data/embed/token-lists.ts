/**
 * The bytes of a `.tokens` file: the distinct tokens of every text of one column. The native core
 * maps and checks it; its layout is in native/core/maxsim/token_lists.h.
 */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { crc32 } from 'node:zlib'
import { isMissing } from '../../models/format/model-files.js'

/** What the lists of a column are made from. */
export interface TokenOrigin {
  /** Of the dataset, hence of its texts. */
  readonly datasetVersion: string
  /** Of the model, hence of its tokenizer. */
  readonly modelRevision: string
  readonly column: string
}

/** The 32 bytes that stand for an origin in the file. */
export function tokenSource({ datasetVersion, modelRevision, column }: TokenOrigin): Uint8Array {
  const origin = JSON.stringify([datasetVersion, modelRevision, column])
  return createHash('sha256').update(origin).digest()
}

const magic = new TextEncoder().encode('SYNTOKEN')
const version = 1
const headerBytes = 64
const crcAt = 28
const sourceAt = 32

/** Ascending, each once, as a file holds them. */
export const distinctTokens = (tokens: Iterable<number>): Uint16Array =>
  Uint16Array.from(new Set(tokens)).sort()

/**
 * @param lists distinct tokens of each row's text; empty for a row without one
 * @param vocabulary tokens that the tokenizer knows, at most 65,536
 */
export function encodeTokenLists(
  lists: readonly Uint16Array[],
  vocabulary: number,
  source: Uint8Array,
): Uint8Array {
  const total = lists.reduce((sum, { length }) => sum + length, 0)
  const tokensAt = headerBytes + (lists.length + 1) * 4
  const bytes = new Uint8Array(tokensAt + total * 2)
  const view = new DataView(bytes.buffer)
  let position = 0
  for (const [row, tokens] of lists.entries()) {
    for (const token of tokens) view.setUint16(tokensAt + position++ * 2, token, true)
    view.setUint32(headerBytes + (row + 1) * 4, position, true)
  }
  bytes.set(magic)
  view.setUint32(8, version, true)
  view.setUint32(12, vocabulary, true)
  view.setUint32(16, lists.length, true)
  view.setUint32(20, total, true)
  view.setUint32(24, crc32(bytes.subarray(headerBytes)), true)
  bytes.set(source, sourceAt)
  view.setUint32(crcAt, headerCrc(bytes), true)
  return bytes
}

/** The lists of a file that is whole and made of that source, by row; undefined otherwise. */
export async function readTokenLists(
  path: string,
  source: Uint8Array,
): Promise<((row: number) => Uint16Array) | undefined> {
  const bytes = await readFile(path).catch(() => undefined)
  if (bytes === undefined || problemOf(bytes, source, '') !== undefined) return undefined
  const tokensAt = headerBytes + (bytes.readUInt32LE(16) + 1) * 4
  return (row) => {
    const begin = bytes.readUInt32LE(headerBytes + row * 4)
    const end = bytes.readUInt32LE(headerBytes + (row + 1) * 4)
    // Its bytes may be at an odd address.
    return new Uint16Array(
      Uint8Array.from(bytes.subarray(tokensAt + begin * 2, tokensAt + end * 2)).buffer,
    )
  }
}

/** Reads a file whole; returns what is wrong with it, undefined where it is as it was written. */
export async function checkTokenLists(
  path: string,
  source: Uint8Array,
): Promise<string | undefined> {
  const name = basename(path)
  let bytes: Buffer
  try {
    bytes = await readFile(path)
  } catch (error) {
    if (isMissing(error)) return `${name} is missing`
    throw error
  }
  return problemOf(bytes, source, name)
}

function problemOf(bytes: Buffer, source: Uint8Array, name: string): string | undefined {
  const isWhole =
    bytes.length > headerBytes &&
    bytes.readUInt32LE(crcAt) === headerCrc(bytes) &&
    bytes.readUInt32LE(24) === crc32(bytes.subarray(headerBytes))
  if (!isWhole) return `${name} is damaged`
  const isCurrent = bytes.subarray(sourceAt, headerBytes).equals(source)
  return isCurrent ? undefined : `${name} is of other texts or of another model`
}

const headerCrc = (bytes: Uint8Array) =>
  crc32(bytes.subarray(sourceAt, headerBytes), crc32(bytes.subarray(0, crcAt)))
