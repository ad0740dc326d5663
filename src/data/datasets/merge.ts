/**
 * Merges the sources of one dataset into works. Other sources join the base by id, or by title if a source or
 * a row has no id. Rows without a match become works of their own. Rows are staged on disk; joining needs only
 * ids and titles in memory.
 */
import { createHash } from 'node:crypto'
import type { Origin } from '../catalogue/catalogue.js'
import type { Filterable } from '../catalogue/own-values.js'
import type { CatalogueRow } from '../catalogue/catalogue-row.js'
import { fileNameOf, joinColumns, missingColumns } from './columns.js'
import { factsOf } from './facts.js'
import { fieldNames } from './field.js'
import { filterablesOf, joinFilterables } from './filterables.js'
import { nameFranchises } from './franchises.js'
import type { Input } from './input.js'
import { joinWorks, type WorksJoined } from './join-works.js'
import { makeEntry, type Layout } from './entry.js'
import { matchTitles } from './match-titles.js'
import type { Mapping } from './mapping.js'
import { orderInputs, withBase } from './order-inputs.js'
import { toLogRanks } from './popularity.js'
import { Problems } from './problems.js'
import type { Source, SourceRow } from './source.js'
import type { StagedRows } from './staged-rows.js'
import {
  addRow,
  assignIds,
  identity,
  newWork,
  type NamedWork,
  type RowKey,
  type Work,
} from './work.js'

export interface MergedSource {
  readonly source: Source
  /** Rows that joined a work of an earlier source. */
  readonly joined: number
  /** Rows that became works of their own. */
  readonly added: number
  /** Rows whose titles are ambiguous, with their lines and what was decided. */
  readonly notes: Problems
}

export interface MergedDataset {
  readonly columns: readonly string[]
  readonly origins: readonly Origin[]
  /** Names of the metadata that requests may filter by. */
  readonly filterables: readonly Filterable[]
  readonly workCount: number
  readonly sources: readonly MergedSource[]
  /** What became of the included works; undefined where they did not take part. */
  readonly works: WorksJoined | undefined
  /**
   * Entries in the order of their ids, each built from staged rows when it is read. Once.
   * @param onRepeated called with the source of each text that repeats an earlier column
   */
  entries(onRepeated: (source: number) => void): Iterable<CatalogueRow>
}

/** Of a dataset without any text: embeddings and searches are those of a column. */
const emptyColumn = 'synopsis'

/** Reads a source and calls `onRow` for each row. */
export type ReadSource<T extends Input> = (
  input: T,
  onRow: (row: SourceRow) => void,
) => Promise<Source>

export interface MergeOptions<T extends Input> {
  /** Stores the rows until the entries are read. */
  readonly staged: StagedRows
  /** Whether the first source is the base if no other is; otherwise a missing base is an error. */
  readonly firstIsBase?: boolean
  /** Works that add to those of the sources, and make none; see joinWorks. */
  readonly shipped?: T | undefined
}

/**
 * Reads the sources of one dataset one after the other.
 * @throws DataImportError when the sources do not make one dataset, or one cannot be read
 */
export async function mergeSources<T extends Input>(
  inputs: readonly T[],
  read: ReadSource<T>,
  { staged, firstIsBase = false, shipped }: MergeOptions<T>,
): Promise<MergedDataset> {
  const ordered = orderInputs(firstIsBase ? withBase(inputs) : inputs)
  const named = [...joinColumns(ordered)]
  const filled = new Set<string>()
  const works: Work[] = []
  const sources: MergedSource[] = []
  for (const [position, input] of ordered.entries()) {
    const notes = new Problems()
    const { source, rows } = await stageSource(input, position, staged, read, filled, notes)
    sources.push({ source, ...joinRows(works, source.mapping, rows, notes), notes })
  }
  // Ids are made of what the sources say.
  assignIds(works)
  const others = ordered.some(({ file }) => file === shipped?.file) ? undefined : shipped
  const joined =
    others &&
    joinWorks(works, (await stageSource(others, ordered.length, staged, read, filled)).rows)
  const isJoined = joined !== undefined && joined.byId + joined.byTitle > 0
  const joinedInputs = others !== undefined && isJoined ? [...ordered, others] : ordered
  if (others !== undefined && isJoined) named.push(...missingColumns(named, others))
  const columns = withoutEmpty(named, joinedInputs, filled)
  if (columns.length === 0) columns.push(emptyColumn)
  const identified = works.filter((work): work is NamedWork => work.id !== null)
  identified.sort((one, other) => one.id - other.id)
  nameFranchises(identified)
  const workCount = identified.length
  // The first is the last: each is gone with its titles when its entry is read.
  identified.reverse()
  const layout = layOut(joinedInputs, columns, ordered)
  function* entries(onRepeated: (source: number) => void): Iterable<CatalogueRow> {
    for (let work = identified.pop(); work !== undefined; work = identified.pop()) {
      const rows = work.rows.map((number) => staged.get(number))
      yield makeEntry(work, rows, layout, onRepeated)
    }
  }
  const origins = ordered.flatMap(({ origin }) => origin ?? [])
  const filterables = joinFilterables(ordered.flatMap(({ mapping }) => filterablesOf(mapping)))
  return {
    columns,
    origins,
    filterables,
    workCount,
    sources,
    works: joined,
    entries,
  }
}

/** @param filled columns with a text in any row; others stay, unless a file need not have their field */
function withoutEmpty(
  columns: readonly string[],
  inputs: readonly Input[],
  filled: ReadonlySet<string>,
): string[] {
  const needed = new Set(
    inputs.flatMap(({ mapping }) =>
      Object.entries(mapping.texts).flatMap(([column, field]) =>
        fieldNames(field).length > 0 ? fileNameOf(column) : [],
      ),
    ),
  )
  return columns.filter((column) => [filled, needed].some((names) => names.has(fileNameOf(column))))
}

/** @param filled receives the columns with a text in any row, as names of files */
async function stageSource<T extends Input>(
  input: T,
  position: number,
  staged: StagedRows,
  read: ReadSource<T>,
  filled: Set<string>,
  notes = new Problems(),
): Promise<{ source: Source; rows: readonly RowKey[] }> {
  const rows: RowKey[] = []
  const isRepeated = createRepetitionCheck()
  const fileNames = Object.keys(input.mapping.texts).map(fileNameOf)
  const source = await read(input, (row) => {
    if (isRepeated(row)) notes.add('repeats an earlier row: skipped', row.line)
    else {
      const number = staged.add(position, row)
      fileNames.forEach((name, column) => row.texts[column] != null && filled.add(name))
      rows.push(keyOf(row, number, position))
    }
  })
  const logRanks = toLogRanks(rows.map(({ popularity }) => popularity))
  return {
    source,
    rows: rows.map((row, position) => ({ ...row, popularity: logRanks[position] ?? null })),
  }
}

function keyOf(row: SourceRow, number: number, source: number): RowKey {
  const { line, id, title, alternativeTitles, type, year, popularity, metadata, facts } = row
  const idIn = (value: unknown) => (typeof value === 'number' ? value : null)
  const siteIds = { malId: idIn(metadata.malId), anilistId: idIn(metadata.anilistId) }
  const ofSource = (id: number) => `${source}:${id}`
  return {
    number,
    line,
    id,
    title,
    alternativeTitles,
    type,
    year,
    popularity,
    ...siteIds,
    franchise: facts.franchise ?? null,
    ownId: id === null ? null : ofSource(id),
    relatedIds: row.relatedIds.map(ofSource),
  }
}

/** Rows without ids may list a work twice; with another text it may be another work. */
function createRepetitionCheck(): (row: SourceRow) => boolean {
  const seen = new Set<string>()
  return (row) => {
    if (row.id !== null) return false
    const content = identity(row) + JSON.stringify(row.texts)
    const digest = createHash('sha256').update(content).digest('base64')
    const isRepeated = seen.has(digest)
    seen.add(digest)
    return isRepeated
  }
}

function joinRows(
  works: Work[],
  mapping: Mapping,
  rows: readonly RowKey[],
  notes: Problems,
): Pick<MergedSource, 'joined' | 'added'> {
  const workOf = findWorks(works, mapping, rows, notes)
  for (const row of rows) {
    let work = workOf.get(row)
    if (work === undefined) works.push((work = newWork(row)))
    addRow(work, row)
  }
  return { joined: workOf.size, added: rows.length - workOf.size }
}

function findWorks(
  works: readonly Work[],
  { join }: Mapping,
  rows: readonly RowKey[],
  notes: Problems,
): ReadonlyMap<RowKey, Work> {
  const workOf = join === 'id' ? matchIds(works, rows) : new Map<RowKey, Work>()
  const numberless = rows.filter(({ id }) => id === null)
  if (join === undefined || numberless.length === 0) return workOf
  const taken = new Set(workOf.values())
  const free = works.filter((work) => !taken.has(work))
  const { workOf: byTitle, ambiguous, contradicted } = matchTitles(free, numberless)
  for (const row of ambiguous) {
    const outcome = byTitle.has(row) ? 'joined' : 'kept apart'
    notes.add(`of several with that title: ${outcome}`, row.line)
  }
  for (const row of contradicted) notes.add('of another type or year: kept apart', row.line)
  return new Map([...workOf, ...byTitle])
}

function matchIds(works: readonly Work[], rows: readonly RowKey[]): Map<RowKey, Work> {
  const byId = new Map(works.map((work) => [work.id, work]))
  const workOf = new Map<RowKey, Work>()
  for (const row of rows) {
    const work = row.id === null ? undefined : byId.get(row.id)
    if (work !== undefined) workOf.set(row, work)
  }
  return workOf
}

/** Ids of works at other sites, which the included works add to those that they join. */
const siteIdNames = ['malId', 'anilistId'] as const

/**
 * Every entry has every member of the metadata, in one order.
 * @param named those whose metadata entries have
 */
function layOut(
  inputs: readonly Input[],
  columns: readonly string[],
  named: readonly Input[],
): Layout {
  const fileNames = columns.map(fileNameOf)
  return {
    columnCount: columns.length,
    facts: new Set(inputs.flatMap(({ mapping }) => factsOf(mapping.fields))),
    metadata: [
      ...new Set([
        ...named.flatMap(({ mapping }) => Object.keys(mapping.metadata)),
        // A person's list names works by these, whichever source has them.
        ...(inputs.length > named.length ? siteIdNames : []),
      ]),
    ],
    places: inputs.map(({ mapping }) =>
      Object.keys(mapping.texts).map((column) => fileNames.indexOf(fileNameOf(column))),
    ),
  }
}
