/**
 * Stores the rows of sources on disk while they are joined, so that only ids and titles are in memory. Only
 * the import opens the file.
 */
import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import type { SourceRow } from './source.js'

export interface StagedRow {
  /** Position of its source. */
  readonly source: number
  readonly row: SourceRow
}

export interface StagedRows {
  /** Returns the number of the row, for `get`. */
  add(source: number, row: SourceRow): number
  get(number: number): StagedRow
  /** Removes the file. Idempotent. */
  close(): void
}

/** Bytes that are written, or read ahead, at a time. */
const pieceBytes = 2 ** 18

/** Begins an empty file at that path, of rows in JSON one after the other. */
export function openStagedRows(path: string): StagedRows {
  const file = openSync(path, 'w+')
  const sources: number[] = []
  /** Where each row ends. */
  const ends: number[] = []
  let piece = Buffer.alloc(pieceBytes)
  let filled = 0
  let written = 0
  /** What was read last, and where in the file it begins. */
  let part = Buffer.alloc(0)
  let partStart = 0
  let isOpen = true

  function flush(): void {
    for (let done = 0; done < filled;) {
      done += writeSync(file, piece, done, filled - done, written + done)
    }
    written += filled
    filled = 0
  }

  /** Reads on from the last part, and of a row elsewhere that row alone. */
  function read(begin: number, end: number): void {
    const isNext = begin >= partStart && begin <= partStart + part.length
    const wanted = Math.min(
      isNext ? Math.max(end - begin, pieceBytes) : end - begin,
      written - begin,
    )
    const bytes = Buffer.allocUnsafe(wanted)
    let length = 0
    while (length < wanted) {
      const more = readSync(file, bytes, length, wanted - length, begin + length)
      if (more === 0) break
      length += more
    }
    ;[part, partStart] = [bytes.subarray(0, length), begin]
  }

  return {
    add(source, row) {
      const text = JSON.stringify(row)
      const most = text.length * 3
      if (filled + most > piece.length) {
        flush()
        if (most > piece.length) piece = Buffer.alloc(most)
      }
      filled += piece.write(text, filled)
      ends.push(written + filled)
      return sources.push(source) - 1
    },
    get(number) {
      const [source, end] = [sources[number], ends[number]]
      if (source === undefined || end === undefined)
        throw new RangeError(`expected a staged row, received ${number}`)
      const begin = ends[number - 1] ?? 0
      if (end > written) flush()
      if (begin < partStart || end > partStart + part.length) read(begin, end)
      const text = part.toString('utf8', begin - partStart, end - partStart)
      return { source, row: JSON.parse(text) as SourceRow }
    },
    close() {
      if (isOpen) closeSync(file)
      isOpen = false
      rmSync(path, { force: true })
    },
  }
}
