/** The catalogue's file, opened for reading. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { getOrAdd } from '../../base/util/get-or-add.js'
import { Database } from '../../base/util/sqlite.js'
import { CatalogueError, NativeError, TitleIndexError } from '../../base/errors/index.js'
import { type Catalogue, type DatasetInfo, type DatasetName, type Entry } from './catalogue.js'
import type { EntryFacts } from './entry-facts.js'
import { prepareFilter } from './filter.js'
import { createLexicalSearch, type LexicalSearch } from '../lexical/bm25.js'
import { unpackFloats } from './packed-numbers.js'
import type { RowIndex, RowPasses } from '../../native/addon/row-index.js'
import { readContents } from './contents.js'
import { buildRowIndexOf, openRowIndexOf, rowIndexDamage, rowIndexFile } from './row-indexes.js'
import { applicationId, readableVersions, schemaVersion } from './schema.js'
import type { CheckedFile } from '../../native/addon/checked-file.js'
import { openChecked } from './trailer.js'
import { openRowFacts, type RowFacts } from './row-facts.js'
import { openOwnValues } from './own-values.js'
import { readOrigins } from './origins.js'
import { openStemmer, type Stemmer } from '../../base/text/stemmer.js'
import { openWorkNames, type WorkNames } from './work-names.js'

/** Well-known works are shown again and again: some 4 MB. */
const keptEntries = 1000

/** The catalogue of a data folder. */
export function catalogueFile(dataDir: string): string {
  return join(dataDir, 'catalogue.sqlite')
}

/** Between a catalogue and who watches over its file. */
export interface Integrity {
  /** Every read throws it from then on. */
  fault?: CatalogueError | undefined
  /** Gets the file, and owns it. */
  onOpened?: (file: CheckedFile) => void
  /** A read has failed as it does where a file is damaged. */
  onSuspicion?: () => void
}

/**
 * @throws CatalogueError where there is no file, it is no catalogue or damaged, or it has the
 * schema of another version of the program
 */
export function openCatalogue(file: string, integrity: Integrity = {}): Catalogue {
  const database = openDatabase(file)
  try {
    return guarded(file, () => readCatalogue(file, database, integrity))
  } catch (error) {
    database.close()
    throw error
  }
}

function readCatalogue(file: string, database: Database, integrity: Integrity): Catalogue {
  checkFile(file, database)
  integrity.onOpened?.(openChecked(file, database))
  const infos = readDatasets(database)
  const byName = new Map(infos.map((info) => [info.name, info]))
  const stemmer = openStemmer(database)
  const rowIndexes = new Map<DatasetName, OpenRowIndex>()
  const inDataset = <T>(values: ReadonlyMap<DatasetName, T>, dataset: DatasetName): T => {
    const value = values.get(dataset)
    if (value !== undefined) return value
    const names = infos.map(({ name }) => name).join(', ')
    throw new RangeError(`expected a dataset of the catalogue (${names}), received ${dataset}`)
  }
  const numbers = readNumbers(database)
  const numberOf = (dataset: DatasetName) => inDataset(numbers, dataset)
  const ownOf = new Map(
    infos.map((info) => [info.name, openOwnValues(database, numberOf(info.name))]),
  )
  const filters = new Map(
    infos.map((info) => {
      const index = () => rowIndexOf(info.name)
      return [info.name, prepareFilter(info.rows, index, inDataset(ownOf, info.name))]
    }),
  )
  const rowOfId = database
    .prepare<[number, number], number>('SELECT row FROM entries WHERE dataset = ? AND id = ?')
    .pluck()
  const popularity = new Map(infos.map((info) => [info.name, readPopularity(file, database, info)]))
  const rowsOfSite = database
    .prepare<[number, string, number], number>(
      'SELECT row FROM site_ids WHERE dataset = ? AND site = ? AND id = ?',
    )
    .pluck()
  const entryAt = database.prepare<[number, number], EntryRecord>(
    `SELECT id, title, type, year, score, genres, facts, metadata FROM entries
     WHERE dataset = ? AND row = ?`,
  )
  const textAt = database
    .prepare<[number, number, number], string>(
      'SELECT text FROM texts WHERE dataset = ? AND "column" = ? AND row = ?',
    )
    .pluck()
  const textsAfter = database.prepare<[number, number, number], { row: number; text: string }>(
    `SELECT row, text FROM texts WHERE dataset = ? AND "column" = ? AND row > ?
     ORDER BY row LIMIT ${textsPerRead}`,
  )

  const entries = new LRUCache<string, Entry>({ max: keptEntries })
  const read = <T>(action: () => T): T => {
    if (!database.open) throw new CatalogueError('closed', file, 'the catalogue is closed')
    if (integrity.fault !== undefined) throw integrity.fault
    try {
      return guarded(file, action)
    } catch (error) {
      if (error instanceof CatalogueError) integrity.onSuspicion?.()
      throw error
    }
  }
  /** Where a file of rows was written to, it is opened again for the next request. */
  const rowsFault = (dataset: DatasetName, index: OpenRowIndex | undefined, error: unknown) => {
    if (!(error instanceof NativeError)) return error
    index?.close()
    if (rowIndexes.get(dataset) === index) rowIndexes.delete(dataset)
    integrity.onSuspicion?.()
    return rowIndexDamage(error)
  }
  const readRows = <T>(dataset: DatasetName, action: (index: OpenRowIndex) => T): T => {
    try {
      return read(() => action(rowIndexOf(dataset)))
    } catch (error) {
      throw rowsFault(dataset, rowIndexes.get(dataset), error)
    }
  }
  const searchRows = async <T>(
    dataset: DatasetName,
    action: (index: OpenRowIndex) => Promise<T>,
  ): Promise<T> => {
    let index: OpenRowIndex | undefined
    try {
      return await read(() => action((index = rowIndexOf(dataset))))
    } catch (error) {
      throw rowsFault(dataset, index, error)
    }
  }
  const infoOf = (dataset: DatasetName) => inDataset(byName, dataset)
  const entriesOf = (dataset: DatasetName) => readContents(catalogue, dataset)?.rows ?? []
  const rowIndexOf = (dataset: DatasetName): OpenRowIndex =>
    getOrAdd(rowIndexes, infoOf(dataset).name, () => {
      const entries = () => entriesOf(dataset)
      const index = openRowIndexOf(file, infoOf(dataset), entries, stemmer)
      const opened: OpenRowIndex = withLookups(
        rowIndexFile(file, infoOf(dataset)),
        index,
        stemmer,
        (error) => rowsFault(dataset, opened, error),
      )
      return opened
    })
  const checkColumn = ({ columns }: DatasetInfo, column: number) =>
    checkPosition('column', column, columns.length)

  const catalogue: Catalogue = {
    datasets: () => infos,
    dataset: (name) => byName.get(name),
    origins: (dataset) => read(() => readOrigins(database, numberOf(dataset))),
    entry: (dataset, row) =>
      read(() => {
        checkPosition('row', row, infoOf(dataset).rows)
        const key = `${dataset} ${row}`
        const kept = entries.get(key)
        if (kept !== undefined) return kept
        const record = entryAt.get(numberOf(dataset), row)
        if (record === undefined) throw new CatalogueError('corrupt', file, `row ${row} is missing`)
        const entry = toEntry(record)
        entries.set(key, entry)
        return entry
      }),
    text: (dataset, row, column) =>
      read(() => {
        const info = infoOf(dataset)
        checkPosition('row', row, info.rows)
        checkColumn(info, column)
        return textAt.get(numberOf(dataset), column, row) ?? null
      }),
    texts: (dataset, column) => {
      checkColumn(infoOf(dataset), column)
      const number = numberOf(dataset)
      return pages((row) => read(() => textsAfter.all(number, column, row)))
    },
    rowOfId: (dataset, id) => read(() => rowOfId.get(numberOf(dataset), id)),
    popularity: (dataset) => popularity.get(infoOf(dataset).name),
    facts: (dataset) => readRows(dataset, (index) => index.facts()),
    ownValues(dataset) {
      const { fields, texts, numbers } = inDataset(ownOf, dataset)
      return {
        fields,
        texts: (name) => read(() => texts(name)),
        numbers: (name) => read(() => numbers(name)),
      }
    },
    workNames: (dataset) => readRows(dataset, (index) => index.names()),
    rowsOfSite: (dataset, site, id) => read(() => rowsOfSite.all(numberOf(dataset), site, id)),
    mask: (dataset, filter) => readRows(dataset, () => inDataset(filters, dataset)(filter)),
    lexical: (dataset, query, limit, mask) =>
      searchRows(dataset, ({ lexical }) => lexical.hits(query, limit, mask)),
    lexicalScores: (dataset, query, rows) =>
      searchRows(dataset, ({ lexical }) => lexical.scores(query, rows)),
    stemsOf: (dataset, query) => readRows(dataset, ({ lexical }) => lexical.stemsOf(query)),
    rowPasses: (dataset) => ({
      rank: (...request) => searchRows(dataset, ({ passes }) => passes.rank(...request)),
      findLikest: (...request) =>
        searchRows(dataset, ({ passes }) => passes.findLikest(...request)),
      taste: (...request) => searchRows(dataset, ({ passes }) => passes.taste(...request)),
      countFacts: (...request) =>
        searchRows(dataset, ({ passes }) => passes.countFacts(...request)),
      likenesses: (...request) =>
        searchRows(dataset, ({ passes }) => passes.likenesses(...request)),
    }),
    rowsWith: (dataset, query) => readRows(dataset, ({ lexical }) => lexical.rowsWith(query)),
    openRowIndex: (dataset) => read(() => void rowIndexOf(dataset)),
    buildRowIndex: (dataset) =>
      read(() => buildRowIndexOf(file, infoOf(dataset), entriesOf(dataset), stemmer)),
    close: () => {
      if (database.open) database.close()
      for (const rowIndex of rowIndexes.values()) rowIndex.close()
    },
  }
  return catalogue
}

interface OpenRowIndex {
  readonly lexical: LexicalSearch
  readonly passes: RowPasses & Pick<RowIndex, 'filter'>
  /** Opened once; throws a CatalogueError. */
  names(): WorkNames
  /** Opened once. */
  facts(): RowFacts
  close(): void
}

/** @param asFault what lookups of names throw for an error */
function withLookups(
  file: string,
  index: RowIndex,
  stemmer: Stemmer,
  asFault: (error: unknown) => unknown,
): OpenRowIndex {
  let names: WorkNames | undefined
  let facts: RowFacts | undefined
  return {
    facts: () => (facts ??= openRowFacts(index)),
    lexical: createLexicalSearch(stemmer, index),
    passes: index,
    names() {
      try {
        return (names ??= openWorkNames(index, asFault))
      } catch (cause) {
        if (!(cause instanceof TitleIndexError)) throw cause
        const problem = `the index of rows is damaged (titles: ${cause.problem})`
        throw new CatalogueError('rows', file, problem, { cause })
      }
    },
    close: () => index.close(),
  }
}

/** Texts that are in memory at a time; between reads the connection is free for other work. */
const textsPerRead = 256

function* pages(
  after: (row: number) => readonly { row: number; text: string }[],
): IterableIterator<{ row: number; text: string }> {
  let row = -1
  for (let page = after(row); page.length > 0; page = after(row)) {
    yield* page
    row = page.at(-1)?.row ?? row
  }
}

interface EntryRecord {
  readonly id: number
  readonly title: string
  readonly type: string | null
  readonly year: number | null
  readonly score: number | null
  readonly genres: string
  readonly facts: string
  readonly metadata: string
}

function toEntry({ genres, facts, metadata, ...own }: EntryRecord): Entry {
  return {
    ...own,
    genres: JSON.parse(genres) as string[],
    facts: toFacts(JSON.parse(facts) as StoredFacts),
    metadata: JSON.parse(metadata) as Record<string, unknown>,
  }
}

/** Catalogues up to version 7 name `relation` `place`. */
type StoredFacts = EntryFacts & { readonly place?: string | null }

function toFacts({ place, ...facts }: StoredFacts): EntryFacts {
  return place === undefined ? facts : { relation: place, ...facts }
}

function readDatasets(database: Database): readonly DatasetInfo[] {
  const records = database
    .prepare<[], Omit<DatasetInfo, 'columns'> & { columns: string }>(
      'SELECT name, version, rows, columns FROM datasets ORDER BY dataset',
    )
    .all()
  return records.map((record) => ({ ...record, columns: JSON.parse(record.columns) as string[] }))
}

function readNumbers(database: Database): ReadonlyMap<DatasetName, number> {
  const records = database
    .prepare<[], { name: string; dataset: number }>('SELECT name, dataset FROM datasets')
    .all()
  return new Map(records.map(({ name, dataset }) => [name, dataset]))
}

function readPopularity(file: string, database: Database, { name, rows }: DatasetInfo) {
  const packed = database
    .prepare<[string], Buffer | null>('SELECT popularity FROM datasets WHERE name = ?')
    .pluck()
    .get(name)
  if (packed === null || packed === undefined) return undefined
  const popularity = unpackFloats(packed)
  if (popularity.length === rows) return popularity
  const problem = `expected the popularity of ${rows} entries, found ${popularity.length}`
  throw new CatalogueError('corrupt', file, problem)
}

function openDatabase(file: string): Database {
  try {
    const database = new Database(file, { readonly: true, fileMustExist: true })
    // The file never changes: one lock for good instead of two system calls a statement.
    database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -32768')
    return database
  } catch (cause) {
    if (statSync(file, { throwIfNoEntry: false }) === undefined) {
      throw new CatalogueError('missing', file, 'there is no catalogue', { cause })
    }
    throw asCatalogueError(file, cause)
  }
}

function checkFile(file: string, database: Database): void {
  const pragma = (name: string) => Number(database.pragma(name, { simple: true }))
  if (pragma('application_id') !== applicationId) {
    throw new CatalogueError('corrupt', file, 'expected a catalogue, found another database')
  }
  const version = pragma('user_version')
  if (!readableVersions.has(version)) {
    const problem = `expected schema version ${schemaVersion}, found ${version}`
    throw new CatalogueError('version', file, problem)
  }
}

function checkPosition(what: 'row' | 'column', position: number, count: number): void {
  if (Number.isInteger(position) && position >= 0 && position < count) return
  throw new RangeError(`expected a ${what} from 0 to ${count - 1}, received ${position}`)
}

function guarded<T>(file: string, action: () => T): T {
  try {
    return action()
  } catch (cause) {
    throw asCatalogueError(file, cause)
  }
}

function asCatalogueError(file: string, cause: unknown): unknown {
  if (!(cause instanceof Database.SqliteError) && !(cause instanceof SyntaxError)) return cause
  const code = cause instanceof Database.SqliteError ? cause.code : 'broken JSON'
  return new CatalogueError('corrupt', file, `the catalogue is damaged (${code})`, { cause })
}
