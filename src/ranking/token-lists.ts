/**
 * The bytes of a `.tokens` file: the distinct tokens of every text of one column. The native core
 * maps and checks it; its layout stands in native/core/token_lists.h.
 */
import { crc32 } from 'node:zlib'

/** What the lists were made from: the opener must name the same 32 bytes. */
export type TokenSource = Uint8Array

const headerBytes = 64

/**
 * @param lists token ids of each row's text as the tokenizer gives them; [] for a row without one
 * @param vocabulary tokens that the tokenizer knows, at most 65,536
 */
export function encodeTokenLists(
  lists: readonly (readonly number[])[],
  vocabulary: number,
  source: TokenSource,
): Uint8Array {
  const distinct = lists.map((tokens) => Uint16Array.from(new Set(tokens)).sort())
  const total = distinct.reduce((sum, { length }) => sum + length, 0)
  const bodyBytes = (lists.length + 1) * 4 + total * 2
  const bytes = new Uint8Array(headerBytes + bodyBytes)
  const view = new DataView(bytes.buffer)
  let position = 0
  distinct.forEach((tokens, row) => {
    tokens.forEach((token, index) => {
      view.setUint16(headerBytes + (lists.length + 1) * 4 + (position + index) * 2, token, true)
    })
    position += tokens.length
    view.setUint32(headerBytes + (row + 1) * 4, position, true)
  })
  bytes.set(new TextEncoder().encode('SYNTOKEN'))
  view.setUint32(8, 1, true)
  view.setUint32(12, vocabulary, true)
  view.setUint32(16, lists.length, true)
  view.setUint32(20, total, true)
  view.setUint32(24, crc32(bytes.subarray(headerBytes)), true)
  bytes.set(source, 32)
  view.setUint32(28, crc32(bytes.subarray(32, 64), crc32(bytes.subarray(0, 28))), true)
  return bytes
}
