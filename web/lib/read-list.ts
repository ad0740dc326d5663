/** An export of MyAnimeList or AniList, read in the browser: the file itself goes nowhere. */
import { readListText, type FileEntry } from '../../src/data/anilist/list-text.js'

/** Far above any list. */
const maxBytes = 64 * 2 ** 20

/** Rejects with an Error that says what was expected. */
export async function readList(file: Blob): Promise<readonly FileEntry[]> {
  if (file.size > maxBytes) throw new Error('This file is too large to be a list.')
  const start = new Uint8Array(await file.slice(0, 2).arrayBuffer())
  const isPacked = start[0] === 0x1f && start[1] === 0x8b
  const text = isPacked ? await unpacked(file) : await file.text()
  const entries = readListText(text)
  if (entries.length === 0)
    throw new Error('This is not a list exported from MyAnimeList (XML or .gz) or AniList (JSON).')
  return entries
}

async function unpacked(file: Blob): Promise<string> {
  const stream = file.stream().pipeThrough(new DecompressionStream('gzip'))
  const decoder = new TextDecoder()
  const reader = stream.getReader()
  let text = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    text += decoder.decode(value, { stream: true })
    if (text.length > maxBytes) {
      await reader.cancel()
      throw new Error('This file is too large to be a list.')
    }
  }
}
