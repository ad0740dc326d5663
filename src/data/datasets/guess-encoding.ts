/** The encoding of a text file, from its first bytes: UTF-8, UTF-16, or the one of Western Windows. */

/** Bytes that are looked at; a file may have its first accent late. */
export const sniffedBytes = 4 * 2 ** 20

export function guessEncoding(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  try {
    // Streaming, because the last character may be cut.
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
    return 'utf-8'
  } catch {
    return isJapanese(bytes) ? 'shift_jis' : 'windows-1252'
  }
}

/** Whether the bytes are Shift JIS with kana in it, which windows-1252 would read as rare signs. */
function isJapanese(bytes: Uint8Array): boolean {
  try {
    const text = new TextDecoder('shift_jis', { fatal: true }).decode(bytes, { stream: true })
    return /[\u3041-\u30fa]{2}/.test(text)
  } catch {
    return false
  }
}
