/** Reads text files in pieces, and checks their encoding. */
import { DataImportError } from '../../base/errors/index.js'
import { readBytes } from './compressed-file.js'

/**
 * Text with every line end as \n and without a byte order mark.
 * @param onBytes called with the bytes of each piece that was read
 */
export async function* readTextFile(
  path: string,
  encoding: string,
  onBytes: (bytes: number) => void,
): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true })
  let line = 1
  let pending = ''
  const decode = (bytes?: Uint8Array) => {
    try {
      return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true })
    } catch (cause) {
      const problem = `expected ${encoding} text, found other bytes at or after line ${line}`
      const remedy = 'set its "encoding" in the mapping, or convert the file'
      throw new DataImportError(path, `${problem}; ${remedy}`, { cause })
    }
  }
  for await (const bytes of readBytes(path, onBytes)) {
    const piece = pending + decode(bytes)
    if (piece.includes('\0')) {
      throw new DataImportError(path, `expected text, found a zero byte at or after line ${line}`)
    }
    // A line end of two characters may be cut in half.
    pending = piece.endsWith('\r') ? '\r' : ''
    const text = unifyLineEnds(piece.slice(0, piece.length - pending.length))
    line += text.split('\n').length - 1
    yield text
  }
  yield unifyLineEnds(pending + decode())
}

function unifyLineEnds(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text
}
