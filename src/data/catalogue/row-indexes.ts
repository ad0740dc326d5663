/**
 * The row indexes of a catalogue: one file per dataset in the same folder, with the version of the dataset in its name, so
 * that an old and a new catalogue never share one. Everything in it can be computed from the catalogue.
 */
import { readdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CatalogueError, NativeError } from '../../base/errors/index.js'
import type { Stemmer } from '../../base/text/stemmer.js'
import { openRowIndex, type RowIndex } from '../../native/addon/row-index.js'
import {
  copyRowIndex,
  rowIndexBytes,
  writeRowIndex,
  type UnnamedFile,
} from '../rows/build-row-index.js'
import { syncFolderSync } from '../../base/util/sync-to-disk.js'
import { followLink } from '../../base/util/follow-link.js'
import { Database } from '../../base/util/sqlite.js'
import type { CatalogueRow } from './catalogue-row.js'
import type { DatasetInfo } from './dataset.js'
import { type BuiltRowIndex, createRowIndexBuilder } from './row-index-builder.js'

/** Digits of a version that are in a file's name. */
const versionDigits = 16
const extension = '.rows'

type Indexed = Pick<DatasetInfo, 'name' | 'version'>

/** Next to the file itself where the catalogue is a link. */
export const rowIndexFile = (catalogueFile: string, { name, version }: Indexed): string =>
  `${followLink(catalogueFile)}.${name}-${version.slice(0, versionDigits)}${extension}`

/** Writes the index of a dataset aside. */
export function writeRowIndexOf(
  catalogueFile: string,
  info: DatasetInfo,
  built: BuiltRowIndex,
): UnnamedFile {
  const { rows, version } = info
  return writeRowIndex(rowIndexFile(catalogueFile, info), { rows, version, ...built })
}

/** Copies the index that another catalogue has of the same dataset aside; undefined where it has none that is whole. */
export function copyRowIndexOf(
  from: string,
  catalogueFile: string,
  info: DatasetInfo,
): UnnamedFile | undefined {
  const present = openPresent(rowIndexFile(from, info), info.version)
  if (present === undefined) return undefined
  present.close()
  return copyRowIndex(rowIndexFile(from, info), rowIndexFile(catalogueFile, info))
}

/** Builds the index of a dataset from its entries and gives it its name. */
export function buildRowIndexOf(
  catalogueFile: string,
  info: DatasetInfo,
  entries: Iterable<CatalogueRow>,
  stemmer: Stemmer,
): void {
  const written = writeRowIndexOf(catalogueFile, info, builtOf(entries, stemmer))
  try {
    written.publish()
  } finally {
    written.discard()
  }
}

/**
 * Opens the index of a dataset. Builds it where there is none that fits, which takes seconds for a large dataset: into
 * its file, or into memory where the folder cannot be written. One process builds it; others that need it wait.
 */
export function openRowIndexOf(
  catalogueFile: string,
  info: DatasetInfo,
  entries: () => Iterable<CatalogueRow>,
  stemmer: Stemmer,
): RowIndex {
  const { rows, version } = info
  const path = rowIndexFile(catalogueFile, info)
  const present = openPresent(path, version)
  if (present !== undefined) return present
  return withLock(catalogueFile, () => {
    const builtByAnother = openPresent(path, version)
    if (builtByAnother !== undefined) return builtByAnother
    try {
      buildRowIndexOf(catalogueFile, info, entries(), stemmer)
      return openRowIndex(path, version)
    } catch (error) {
      if (!isSystemError(error)) throw error
      const built = builtOf(entries(), stemmer)
      return openRowIndex(rowIndexBytes({ rows, version, ...built }), version)
    }
  })
}

/** A build takes a minute or two for a quarter of a million works on two processors. */
const longestBuildMs = 600_000

/**
 * Runs the action while no other process runs one of the same catalogue. Blocks the thread as long, as a build would.
 * The lock is SQLite's, which the system releases after a kill; where none can be had, the action runs without.
 */
function withLock<T>(catalogueFile: string, action: () => T): T {
  const lock = takeLock(`${followLink(catalogueFile)}.rows.lock`)
  try {
    return action()
  } finally {
    lock?.close()
  }
}

function takeLock(path: string): Database | undefined {
  let lock: Database | undefined
  try {
    lock = new Database(path, { timeout: longestBuildMs })
    lock.exec('BEGIN EXCLUSIVE')
    return lock
  } catch (error) {
    lock?.close()
    // Folders that are missing are a TypeError of better-sqlite3.
    if (error instanceof Database.SqliteError || error instanceof TypeError) return undefined
    throw error
  }
}

/** What is wrong with an index that was opened. */
export function rowIndexDamage(cause: NativeError): CatalogueError {
  const problem = `the index of rows is damaged (${cause.found ?? cause.message})`
  return new CatalogueError('rows', cause.file ?? 'the index in memory', problem, { cause })
}

/** Undefined where there is none, or one that is damaged or of another version. */
function openPresent(path: string, version: string): RowIndex | undefined {
  try {
    return openRowIndex(path, version)
  } catch (error) {
    if (error instanceof NativeError && unfitCodes.has(error.code)) return undefined
    throw error
  }
}

const unfitCodes: ReadonlySet<string> = new Set(['EFILE_OPEN', 'EROWS_FORMAT', 'EROWS_STALE'])

const isSystemError = (error: unknown) => error instanceof Error && 'syscall' in error

function builtOf(entries: Iterable<CatalogueRow>, stemmer: Stemmer): BuiltRowIndex {
  const builder = createRowIndexBuilder()
  for (const entry of entries) builder.add(entry)
  return builder.build(stemmer)
}

/** Removes the indexes of other versions, and what killed builds have left. Files that a process has open stay with it. */
export function removeOtherRowIndexes(catalogueFile: string, infos: readonly Indexed[]): void {
  const file = followLink(catalogueFile)
  removeAllBut(file, new Set(infos.map((info) => rowIndexFile(file, info))))
}

/** Gives a catalogue another name in its folder, in the place of a catalogue that has it, and so its indexes. */
export function renameCatalogue(from: string, to: string): void {
  const indexes = indexFilesOf(from).filter((path) => path.endsWith(extension))
  const renamed = indexes.map((path) => `${to}${path.slice(from.length)}`)
  indexes.forEach((path, position) => renameSync(path, renamed[position] ?? path))
  renameSync(from, to)
  syncFolderSync(dirname(to))
  removeAllBut(to, new Set(renamed))
}

/** Removes a catalogue that is not served, with its indexes; nothing where there is none. */
export function removeCatalogue(file: string): void {
  rmSync(file, { force: true })
  removeAllBut(file, new Set())
}

function removeAllBut(catalogueFile: string, current: ReadonlySet<string>): void {
  for (const path of indexFilesOf(catalogueFile)) {
    if (!current.has(path)) rmSync(path, { force: true })
  }
}

/** All of any version, and those that were not finished. */
function indexFilesOf(catalogueFile: string): readonly string[] {
  const names = readdirSync(dirname(catalogueFile))
  return names
    .map((name) => join(dirname(catalogueFile), name))
    .filter((path) => path.startsWith(catalogueFile))
    .filter((path) =>
      /^\.[a-z][a-z0-9-]*-[0-9a-f]{16}\.rows(\.building-\d+)?$/.test(
        path.slice(catalogueFile.length),
      ),
    )
}
