/** A person's lists in a file, see list-text; MyAnimeList packs its exports with gzip. */
import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import { readListText, type FileEntry } from './list-text.js'

export type { FileEntry } from './list-text.js'

/** Far above any list: a larger file is another one. */
const maxBytes = 64 * 2 ** 20

/** @throws Error that says what is wrong, without the content */
export async function readListFile(path: string): Promise<readonly FileEntry[]> {
  const bytes = await readFile(path)
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b
  const content = isPacked ? gunzipSync(bytes, { maxOutputLength: maxBytes }) : bytes
  const entries = readListText(content.toString('utf8'))
  if (entries.length > 0) return entries
  const expected = "an export of MyAnimeList (XML, .gz) or of AniList's lists (JSON)"
  throw new Error(`expected ${expected}, found no entry of one`)
}
