/**
 * Writes a catalogue aside, on disk to the last byte, and renames it over the old one: a server
 * keeps the file that it has open, and an import that is killed leaves the old one as it was.
 */
import { renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { Database } from '../../base/util/sqlite.js'
import { syncFileSync, syncFolderSync } from '../../base/util/sync-to-disk.js'
import type { DatasetInfo } from './catalogue.js'
import { attachHeldTexts, stageTexts } from './column-texts.js'
import type { CatalogueRow } from './catalogue-row.js'
import { createVersionHash, type DatasetContents } from './contents.js'
import { writeOrigins } from './origins.js'
import { packPopularity } from './popularity.js'
import { packEntry, type PackedEntry } from './packed-entry.js'
import { createOwnValuesBuilder } from './own-values.js'
import { createTables, numberDatasets } from './schema.js'
import { appendHashes } from '../../native/addon/hashed-file.js'
import type { UnnamedFile } from '../rows/build-row-index.js'
import { type BuiltRowIndex, createRowIndexBuilder } from './row-index-builder.js'
import { copyRowIndexOf, removeOtherRowIndexes, writeRowIndexOf } from './row-indexes.js'
import { createTrailerTable } from './trailer.js'
import { openStemmer, type Stemmer } from '../../base/text/stemmer.js'
import { createWritesTable, storeWriteResults, type WriteResult } from './write-results.js'

export interface BuiltDataset extends DatasetInfo {
  /** Texts of each column that are not blank. */
  readonly textCounts: readonly number[]
}

/**
 * Only one process may build a file at a time; see `withBuildLock`.
 * @param writes those that the datasets have
 */
export function buildCatalogue(
  file: string,
  datasets: readonly DatasetContents[],
  writes: readonly WriteResult[] = [],
): BuiltDataset[] {
  const aside = `${file}.building`
  const heldTexts = `${aside}-texts`
  const rowIndexes: UnnamedFile[] = []
  const removeAside = () => {
    for (const path of [aside, heldTexts]) rmSync(path, { force: true })
    for (const rowIndex of rowIndexes) rowIndex.discard()
  }
  removeAside()
  try {
    const built = writeCatalogue({ file, aside, heldTexts }, { datasets, writes }, rowIndexes)
    appendHashes(aside)
    syncFileSync(aside)
    // Their names have the versions of the new datasets: nobody looks for them before the catalogue has its name.
    for (const rowIndex of rowIndexes) rowIndex.publish()
    renameSync(aside, file)
    syncFolderSync(dirname(file))
    removeOtherRowIndexes(file, built)
    return built
  } finally {
    removeAside()
  }
}

interface Paths {
  readonly file: string
  readonly aside: string
  readonly heldTexts: string
}

interface Contents {
  readonly datasets: readonly DatasetContents[]
  readonly writes: readonly WriteResult[]
}

/** @param rowIndexes gets the index of each dataset */
function writeCatalogue(
  { file, aside, heldTexts }: Paths,
  { datasets, writes }: Contents,
  rowIndexes: UnnamedFile[],
): BuiltDataset[] {
  const database = new Database(aside)
  try {
    // Nobody else sees the file and a torn one is thrown away, so no journal is needed.
    database.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF')
    attachHeldTexts(database, heldTexts)
    database.exec(createTables)
    database.exec(createTrailerTable)
    database.exec(createWritesTable)
    // Counted in pages of the size that the file has by now.
    database.exec('PRAGMA cache_size = -16384')
    const stemmer = openStemmer(database)
    database.exec('BEGIN')
    storeWriteResults(database, writes)
    const numberOf = numberDatasets(datasets.map(({ name }) => name))
    const built = datasets.map((contents) =>
      writeDataset(database, numberOf(contents.name), contents, stemmer, (info, build) => {
        const { indexedIn } = contents
        const copied = indexedIn === undefined ? undefined : copyRowIndexOf(indexedIn, file, info)
        rowIndexes.push(copied ?? writeRowIndexOf(file, info, build()))
      }),
    )
    database.exec('COMMIT')
    return built
  } finally {
    database.close()
  }
}

/** One row is in memory at a time, in addition to what the index of rows is built from. */
function writeDataset(
  database: Database,
  number: number,
  contents: DatasetContents,
  stemmer: Stemmer,
  writeIndex: (info: DatasetInfo, build: () => BuiltRowIndex) => void,
): BuiltDataset {
  const { name, columns } = contents
  const version = createVersionHash(contents)
  const texts = stageTexts(database, number, columns.length)
  const index = createRowIndexBuilder(contents.others, contents.expectedRows)
  try {
    const writeEntry = prepareEntries(database, number)
    const popularity: (number | null)[] = []
    const own = createOwnValuesBuilder(contents.filterables)
    let rows = 0
    for (const entry of contents.rows) {
      const packed = packEntry(entry)
      writeEntry(rows, entry, packed)
      texts.add(rows, entry.texts)
      version.add(packed, entry.texts)
      popularity.push(entry.popularity ?? null)
      index.add(entry, packed)
      own.add(entry)
      rows += 1
    }
    const packed = packPopularity(popularity)
    const info = { name, version: version.digest(packed), rows, columns }
    database
      .prepare('INSERT INTO datasets VALUES (?, ?, ?, ?, ?, ?)')
      .run(number, name, info.version, rows, JSON.stringify(columns), packed)
    writeOrigins(database, number, contents.origins ?? [])
    index.finish()
    const textCounts = texts.store()
    own.write(database, number)
    writeIndex(info, () => index.build(stemmer))
    return { ...info, textCounts }
  } finally {
    index.close()
  }
}

function prepareEntries(
  database: Database,
  number: number,
): (row: number, entry: CatalogueRow, packed: PackedEntry) => void {
  const insert = database.prepare('INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
  const insertSiteId = database.prepare('INSERT INTO site_ids VALUES (?, ?, ?, ?)')
  return (row, entry, { genres, facts, metadata }) => {
    const { id, title, type, year, score } = entry
    insert.run(number, row, id, title, type, year, score, genres, facts, metadata)
    for (const { site, siteId } of siteIds(entry.metadata))
      insertSiteId.run(number, site, siteId, row)
  }
}

/** What the entry's sites know it by. */
function siteIds({ anilistId, malId }: CatalogueRow['metadata']) {
  const ids = { anilist: anilistId, mal: malId }
  return Object.entries(ids).flatMap(([site, siteId]) =>
    Number.isSafeInteger(siteId) ? [{ site, siteId }] : [],
  )
}
