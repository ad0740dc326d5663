/** Builds the index of the rows of a dataset, into a file that exists under its name only when it is whole, or into memory. */
import { closeSync, copyFileSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Postings } from '../lexical/postings.js'
import { appendHashes } from '../../native/addon/hashed-file.js'
import { syncFileSync, syncFolderSync } from '../../base/util/sync-to-disk.js'
import { nameFile } from '../../base/util/system-reason.js'
import { createRowIndexWriter, type Sink } from './row-index-file.js'
import { writePostings } from './write-postings.js'

export interface RowIndexContents {
  readonly rows: number
  /** Of the dataset, 64 hexadecimal digits. */
  readonly version: string
  readonly postings: Postings
  /** What follows the postings. Called once, when these are written. */
  readonly sections: () => Iterable<RowIndexSection>
}

export interface PiecesSection {
  readonly name: string
  readonly pieces: readonly Uint8Array[]
}

/** Bytes, in one piece or several; native/core/rows/row_index.h names them. */
export type RowIndexSection = PiecesSection | { readonly name: string; readonly bytes: Uint8Array }

/** A file that is written and waits for its name. */
export interface UnnamedFile {
  /** Gives it its name, in the place of a file that has it. */
  publish(): void
  /** Removes it unless it has its name. */
  discard(): void
}

/** Writes the index aside, on disk to the last byte. Leaves nothing behind if it throws. */
export function writeRowIndex(path: string, contents: RowIndexContents): UnnamedFile {
  return writeAside(path, (aside) => {
    const file = openSync(aside, 'w')
    try {
      writeContents((bytes, position) => writeWhole(file, bytes, position), contents)
    } finally {
      closeSync(file)
    }
    appendHashes(aside)
  })
}

/** The same for an index that another file holds. */
export const copyRowIndex = (from: string, path: string): UnnamedFile =>
  writeAside(path, (aside) => copyFileSync(from, aside))

function writeAside(path: string, write: (aside: string) => void): UnnamedFile {
  const aside = `${path}.building-${process.pid}`
  const discard = () => rmSync(aside, { force: true })
  try {
    write(aside)
    syncFileSync(aside)
  } catch (error) {
    discard()
    throw nameFile(error, path)
  }
  return {
    publish() {
      renameSync(aside, path)
      syncFolderSync(dirname(path))
    },
    discard,
  }
}

/** The same bytes in memory, without the hashes of a file. */
export function rowIndexBytes(contents: RowIndexContents): Uint8Array {
  const parts: { bytes: Uint8Array; position: number }[] = []
  const length = writeContents((bytes, position) => parts.push({ bytes, position }), contents)
  const whole = Buffer.alloc(length)
  for (const { bytes, position } of parts) whole.set(bytes, position)
  return whole
}

function writeContents(
  sink: Sink,
  { rows, version, postings, sections }: RowIndexContents,
): number {
  const writer = createRowIndexWriter(sink, { rows, version })
  writePostings(writer, postings)
  for (const section of sections()) {
    writer.begin(section.name)
    for (const piece of piecesOf(section)) writer.add(piece)
  }
  return writer.end()
}

export const piecesOf = (section: RowIndexSection): readonly Uint8Array[] =>
  'pieces' in section ? section.pieces : [section.bytes]

function writeWhole(file: number, bytes: Uint8Array, position: number): void {
  for (let done = 0; done < bytes.length;) {
    done += writeSync(file, bytes, done, bytes.length - done, position + done)
  }
}
