/**
 * The file: four tables. It is written once, aside, and never changed, so a reader needs no locks
 * and may trust what it read.
 */
import { datasetNames, type DatasetName } from './catalogue.js'

/** Raised with every change that an older or newer program would misread. */
export const schemaVersion = 1

/** Marks the file as ours: "SYNO". */
export const applicationId = 0x53594e4f

/** A page holds a synopsis of usual length, which keeps it out of overflow pages. */
const pageBytes = 16_384

/** The number of a dataset in the file. */
export function datasetNumber(name: DatasetName): number {
  return datasetNames.indexOf(name)
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
    columns TEXT NOT NULL
  ) STRICT;
  CREATE TABLE entries (
    dataset INTEGER NOT NULL,
    row INTEGER NOT NULL,
    id INTEGER NOT NULL,
    title TEXT NOT NULL,
    type TEXT,
    year INTEGER,
    genres TEXT NOT NULL,
    metadata TEXT NOT NULL,
    PRIMARY KEY (dataset, row),
    UNIQUE (dataset, id)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE texts (
    dataset INTEGER NOT NULL,
    "column" INTEGER NOT NULL,
    row INTEGER NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (dataset, "column", row)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE stems (
    dataset INTEGER NOT NULL,
    stem TEXT NOT NULL,
    postings BLOB NOT NULL,
    PRIMARY KEY (dataset, stem)
  ) STRICT, WITHOUT ROWID;
`
