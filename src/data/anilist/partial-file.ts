/**
 * A JSON lines file that grows by pages and can be gone on with after a kill. `FILE.partial` holds
 * the lines, `FILE.progress.json` how many of its bytes are whole pages; FILE itself appears at the
 * end, at once. Order of the writes: lines, then progress, both on disk before the next page.
 */
import { createHash } from 'node:crypto'
import { open, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import * as v from 'valibot'
import { makeFolder } from '../../base/util/make-folder.js'
import { syncFolder } from '../../base/util/sync-to-disk.js'
import { writeSynced } from '../../base/util/write-synced.js'
import { writeAll } from '../../base/util/write-all.js'

export interface PartialFile {
  /** First page that is still to come, from 1. */
  readonly nextPage: number
  readonly entries: number
  /** Whether there are no more pages. */
  readonly atEnd: boolean
  /** Adds the page. Returns how many of its records were new. */
  append(records: readonly { readonly id: number }[], hasNextPage: boolean): Promise<number>
  /** Renames the file to its final name. The last call before `close`. */
  finish(): Promise<void>
  /** Idempotent; without `finish`, what was added is gone on with later. */
  close(): Promise<void>
}

/**
 * @param recipe what the pages depend on; progress of another recipe is not gone on with
 * @param onDiscard receives the reason where saved progress cannot be used
 */
export async function openPartialFile(
  path: string,
  recipe: string,
  onDiscard: (reason: string) => void,
): Promise<PartialFile> {
  const partialPath = `${path}.partial`
  const progressPath = `${path}.progress.json`
  makeFolder(dirname(path))
  const fingerprint = createHash('sha256').update(recipe).digest('hex').slice(0, 16)
  const start: Progress = { recipe: fingerprint, nextPage: 1, bytes: 0, entries: 0, atEnd: false }
  const found = await readProgress(progressPath)
  const usable = found === undefined ? undefined : await usableProgress(found, fingerprint)
  if (typeof usable === 'string') onDiscard(usable)
  let progress = typeof usable === 'object' ? usable.progress : start
  const seen = typeof usable === 'object' ? usable.ids : new Set<number>()
  const file = await open(partialPath, typeof usable === 'object' ? 'r+' : 'w')
  // A page that was being written when the last run ended is written again.
  await file.truncate(progress.bytes)
  let isOpen = true

  async function usableProgress(content: unknown, expected: string) {
    const parsed = v.safeParse(progressSchema, content)
    if (!parsed.success) return `${progressPath} is damaged`
    if (parsed.output.recipe !== expected) return `${progressPath} is of another kind of pull`
    const ids = await readIds(partialPath, parsed.output)
    if (ids === undefined) return `${partialPath} does not match its progress`
    return { progress: parsed.output, ids }
  }

  async function save(next: Progress): Promise<void> {
    await writeDurably(progressPath, JSON.stringify(next))
    progress = next
  }

  async function close(): Promise<void> {
    if (isOpen) await file.close()
    isOpen = false
  }

  return {
    get nextPage() {
      return progress.nextPage
    },
    get entries() {
      return progress.entries
    },
    get atEnd() {
      return progress.atEnd
    },
    async append(records, hasNextPage) {
      const fresh = records.filter(({ id }) => !seen.has(id) && seen.add(id))
      const lines = Buffer.from(fresh.map(lineOf).join(''))
      await writeAll(file, partialPath, lines, progress.bytes)
      await file.datasync()
      await save({
        recipe: fingerprint,
        nextPage: progress.nextPage + 1,
        bytes: progress.bytes + lines.length,
        entries: progress.entries + fresh.length,
        atEnd: !hasNextPage,
      })
      return fresh.length
    },
    async finish() {
      await close()
      await rename(partialPath, path)
      await rm(progressPath, { force: true })
      await syncFolder(dirname(path))
    },
    close,
  }
}

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
const progressSchema = v.object({
  recipe: v.string(),
  nextPage: v.pipe(count, v.minValue(1)),
  bytes: count,
  entries: count,
  atEnd: v.boolean(),
})
type Progress = v.InferOutput<typeof progressSchema>

/** Undefined where there is none, null where it is no JSON. */
async function readProgress(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'))
  } catch (error) {
    if (error instanceof SyntaxError) return null
    if (isMissing(error)) return undefined
    throw error
  }
}

/** The ids of the lines that count; undefined where the file is not what the progress says. */
async function readIds(path: string, progress: Progress): Promise<Set<number> | undefined> {
  const size = await stat(path).then(
    (stats) => stats.size,
    (error: unknown) => {
      if (isMissing(error)) return -1
      throw error
    },
  )
  if (size < progress.bytes) return undefined
  const file = await open(path)
  const ids = new Set<number>()
  let lines = 0
  try {
    if (progress.bytes > 0) {
      for await (const line of file.readLines({ start: 0, end: progress.bytes - 1 })) {
        const id = idOf(line)
        if (id === undefined) return undefined
        ids.add(id)
        lines += 1
      }
    }
  } finally {
    await file.close()
  }
  return lines === progress.entries && ids.size === lines ? ids : undefined
}

function idOf(line: string): number | undefined {
  try {
    const record: unknown = JSON.parse(line)
    const hasId = typeof record === 'object' && record !== null && 'id' in record
    return hasId && typeof record.id === 'number' ? record.id : undefined
  } catch {
    return undefined
  }
}

/** JSON allows U+2028 and U+2029 in texts, but many readers of lines end a line there. */
function lineOf(record: object): string {
  const json = JSON.stringify(record)
  return `${json.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}\n`
}

/** Writes a temporary file, flushes and renames it. */
async function writeDurably(path: string, text: string): Promise<void> {
  const temporary = `${path}.new`
  try {
    await writeSynced(temporary, text)
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
