/**
 * Writes a catalogue aside, on disk to the last byte, and renames it over the old one: a server
 * keeps the file that it has open, and an import that is killed leaves the old one as it was.
 */
import { existsSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import { syncFileSync, syncFolderSync } from '../sync-to-disk.js'
import { isAdult } from './adult.js'
import type { DatasetInfo } from './catalogue.js'
import { datasetVersion, type CatalogueRow, type DatasetContents } from './contents.js'
import { packPopularity } from './popularity.js'
import { buildPostings, packPostings, type Document } from './postings.js'
import { createIndexes, createTables, datasetNumber } from './schema.js'
import { openStemmer, type Stemmer } from './words.js'

/** Rows between two calls of `onRows`. */
const rowsPerStep = 500

/** Only one process may build a file at a time; see `withBuildLock`. */
export function buildCatalogue(
  file: string,
  datasets: readonly DatasetContents[],
  onRows: (rows: number) => void,
): DatasetInfo[] {
  const aside = `${file}.building`
  rmSync(aside, { force: true })
  try {
    const infos = writeCatalogue(aside, datasets, onRows)
    syncFileSync(aside)
    renameSync(aside, file)
    syncFolderSync(dirname(file))
    return infos
  } finally {
    if (existsSync(aside)) rmSync(aside)
  }
}

function writeCatalogue(
  aside: string,
  datasets: readonly DatasetContents[],
  onRows: (rows: number) => void,
): DatasetInfo[] {
  const database = new Database(aside)
  try {
    // Nobody else sees the file and a torn one is thrown away, so no journal is needed.
    database.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -65536')
    database.exec(createTables)
    const stemmer = openStemmer(database)
    database.exec('BEGIN')
    const infos = datasets.map((contents) => writeDataset(database, stemmer, contents, onRows))
    database.exec(`${createIndexes}; COMMIT`)
    return infos
  } finally {
    database.close()
  }
}

function writeDataset(
  database: Database.Database,
  stemmer: Stemmer,
  contents: DatasetContents,
  onRows: (rows: number) => void,
): DatasetInfo {
  const { name, columns, rows } = contents
  const info = { name, version: datasetVersion(contents), rows: rows.length, columns }
  const number = datasetNumber(name)
  database
    .prepare('INSERT INTO datasets VALUES (?, ?, ?, ?, ?, ?)')
    .run(number, name, info.version, info.rows, JSON.stringify(columns), packPopularity(rows))
  writeEntries(database, number, rows, onRows)
  writeTexts(database, number, contents)
  const stems = database.prepare('INSERT INTO stems VALUES (?, ?, ?)')
  for (const postings of buildPostings(rows.map(toDocument), stemmer)) {
    stems.run(number, postings.stem, packPostings(postings))
  }
  return info
}

function writeEntries(
  database: Database.Database,
  number: number,
  rows: readonly CatalogueRow[],
  onRows: (rows: number) => void,
): void {
  const insert = database.prepare('INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
  const insertGenre = database.prepare('INSERT OR IGNORE INTO genres VALUES (?, ?, ?)')
  const insertSiteId = database.prepare('INSERT INTO site_ids VALUES (?, ?, ?, ?)')
  rows.forEach((entry, row) => {
    const { id, title, type, year, score, genres, metadata } = entry
    const facts = [type, year, score, Number(isAdult(entry))]
    insert.run(number, row, id, title, ...facts, JSON.stringify(genres), JSON.stringify(metadata))
    for (const genre of genres) insertGenre.run(number, genre, row)
    for (const { site, siteId } of siteIds(metadata)) insertSiteId.run(number, site, siteId, row)
    if ((row + 1) % rowsPerStep === 0) onRows(rowsPerStep)
  })
  onRows(rows.length % rowsPerStep)
}

/** What the entry's sites know it by. */
function siteIds({ anilistId, malId }: CatalogueRow['metadata']) {
  const ids = { anilist: anilistId, mal: malId }
  return Object.entries(ids).flatMap(([site, siteId]) =>
    Number.isSafeInteger(siteId) ? [{ site, siteId }] : [],
  )
}

/** Column by column, the order of the table, which packs its pages full. */
function writeTexts(
  database: Database.Database,
  number: number,
  { columns, rows }: DatasetContents,
): void {
  const insert = database.prepare('INSERT INTO texts VALUES (?, ?, ?, ?)')
  columns.forEach((_, column) => {
    rows.forEach(({ texts }, row) => {
      const text = texts[column] ?? null
      if (text !== null) insert.run(number, column, row, text)
    })
  })
}

function toDocument({ title, metadata, texts }: CatalogueRow): Document {
  const others = Array.isArray(metadata.alternativeTitles) ? metadata.alternativeTitles : []
  return {
    titles: [title, ...others.filter((other) => typeof other === 'string')],
    texts: texts.filter((text) => text !== null),
  }
}
