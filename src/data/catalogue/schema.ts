/**
 * The file: tables of what there is, and of where to find what has an id. It is written once, aside, and never changed, so
 * a reader needs no locks and may trust what it read.
 */
import { isWorkDataset, workDatasets, type DatasetName } from './dataset.js'

/** Raised with every change that an older program would misread. */
export const schemaVersion = 10

/**
 * Versions up to 7 name `relation` `place`. Versions 5 to 8 have postings, titles or facts of their own, and those up to
 * 9 genres and tags for filters, which are not read any more: the indexes of rows are built from their entries.
 */
export const readableVersions: ReadonlySet<number> = new Set([5, 6, 7, 8, 9, schemaVersion])

/** Marks the file as ours: "SYNO". */
export const applicationId = 0x53594e4f

/** A page holds a synopsis of usual length, which keeps it out of overflow pages. */
const pageBytes = 16_384

/** Numbers of datasets in a file that is written: those of anime and manga never change. */
export function numberDatasets(names: readonly DatasetName[]): (name: DatasetName) => number {
  const others = names.filter((name) => !isWorkDataset(name))
  return (name) =>
    isWorkDataset(name) ? workDatasets.indexOf(name) : workDatasets.length + others.indexOf(name)
}

export const createTables = `
  PRAGMA page_size = ${pageBytes};
  PRAGMA application_id = ${applicationId};
  PRAGMA user_version = ${schemaVersion};
  CREATE TABLE datasets (
    dataset INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    version TEXT NOT NULL,
    rows INTEGER NOT NULL,
    columns TEXT NOT NULL,
    popularity BLOB
  ) STRICT;
  CREATE TABLE origins (
    dataset INTEGER NOT NULL,
    position INTEGER NOT NULL,
    origin TEXT NOT NULL,
    PRIMARY KEY (dataset, position)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE entries (
    dataset INTEGER NOT NULL,
    row INTEGER NOT NULL,
    id INTEGER NOT NULL,
    title TEXT NOT NULL,
    type TEXT,
    year INTEGER,
    score REAL,
    genres TEXT NOT NULL,
    facts TEXT NOT NULL,
    metadata TEXT NOT NULL,
    PRIMARY KEY (dataset, row),
    UNIQUE (dataset, id)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE own_fields (
    dataset INTEGER NOT NULL,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    numbers BLOB NOT NULL,
    PRIMARY KEY (dataset, name)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE own_texts (
    dataset INTEGER NOT NULL,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    rows BLOB NOT NULL,
    PRIMARY KEY (dataset, name, value)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE site_ids (
    dataset INTEGER NOT NULL,
    site TEXT NOT NULL,
    id INTEGER NOT NULL,
    row INTEGER NOT NULL,
    PRIMARY KEY (dataset, site, id, row)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE texts (
    dataset INTEGER NOT NULL,
    "column" INTEGER NOT NULL,
    row INTEGER NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (dataset, "column", row)
  ) STRICT, WITHOUT ROWID;
`
