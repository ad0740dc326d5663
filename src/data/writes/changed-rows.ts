/**
 * The changed rows of a dataset, laid over a catalogue: what changes is in memory, the rest is read row by row. An entry
 * is found by its id.
 */
import { shownId } from '../catalogue/text-ids.js'
import type { Catalogue } from '../catalogue/catalogue.js'
import type { CatalogueRow } from '../catalogue/catalogue-row.js'
import { type DatasetContents, readContents } from '../catalogue/contents.js'
import { changedOrigins, type DatasetName } from '../catalogue/dataset.js'
import { listNames } from '../catalogue/entry-facts.js'
import type { EntryFilter } from '../catalogue/filter.js'
import type { WriteFailure, WriteResult } from '../catalogue/write-results.js'
import { ValidationError } from '../../base/errors/index.js'
import { passes } from '../../base/util/row-mask.js'
import type { EntryChanges, WriteRecord, WrittenEntry } from './operation.js'
import { type Refusals, refusalOf } from './refusals.js'

export interface ChangedRows {
  apply(record: WriteRecord): Outcome
  /** Of every entry that was changed by its id; null of those that are deleted. */
  readonly changed: ReadonlyMap<number, CatalogueRow | null>
  /** The same rows with every name of facts and metadata that the dataset has. */
  completed(rows: readonly CatalogueRow[]): readonly CatalogueRow[]
  /** The dataset as it is now. */
  contents(): DatasetContents
}

export interface ChangedRowsOptions {
  /** What is not written, for reasons that the outcomes give. */
  readonly refused?: Refusals | undefined
  /** Ids of changed entries that a filter lets pass; a filter is applied to the catalogue alone where absent. */
  readonly changedMatching?: ((filter: EntryFilter) => readonly number[]) | undefined
}

export type Outcome = Pick<WriteResult, 'added' | 'updated' | 'deleted' | 'missing' | 'failures'>

export const nothing: Outcome = { added: 0, updated: 0, deleted: 0, missing: 0, failures: [] }

/** Undefined where the catalogue lacks the dataset. */
export function createChangedRows(
  catalogue: Catalogue,
  name: DatasetName,
  { refused = new Map(), changedMatching }: ChangedRowsOptions = {},
): ChangedRows | undefined {
  const old = readContents(catalogue, name)
  if (old === undefined) return undefined
  const { columns } = old
  const rowCount = catalogue.dataset(name)?.rows ?? 0
  const popularity = catalogue.popularity(name)
  /** Entries as they are now; null for those that are deleted. */
  const changed = new Map<number, CatalogueRow | null>()
  let count = rowCount

  const readRow = (row: number): CatalogueRow => {
    const known = popularity?.[row] ?? NaN
    return {
      ...catalogue.entry(name, row),
      popularity: Number.isNaN(known) ? null : known,
      texts: columns.map((_, column) => catalogue.text(name, row, column)),
    }
  }
  const namesFor = (written: Written) =>
    namesOf(rowCount > 0 ? catalogue.entry(name, 0) : undefined, written)
  const isThere = (id: number) => {
    const now = changed.get(id)
    return now === undefined ? catalogue.rowOfId(name, id) !== undefined : now !== null
  }
  const find = (id: number): CatalogueRow | undefined => {
    const now = changed.get(id)
    if (now !== undefined) return now ?? undefined
    const row = catalogue.rowOfId(name, id)
    return row === undefined ? undefined : readRow(row)
  }

  function put(seq: number, entries: readonly WrittenEntry[]): Outcome {
    const failures: WriteFailure[] = []
    let added = 0
    for (const entry of entries) {
      const reason = refusalOf(refused, seq, entry.id)
      if (reason !== undefined) {
        failures.push({ id: shownId({ metadata: {}, ...entry }), reason })
        continue
      }
      if (!isThere(entry.id)) added += 1
      changed.set(entry.id, rowOf(entry, columns))
    }
    count += added
    return { ...nothing, added, updated: entries.length - added - failures.length, failures }
  }

  function patch(seq: number, id: number, changes: EntryChanges): Outcome {
    const refusal = refusalOf(refused, seq, id)
    if (refusal !== undefined) return { ...nothing, failures: [{ id, reason: refusal }] }
    const before = find(id)
    if (before === undefined) {
      return { ...nothing, failures: [{ id, reason: `there is no ${name} with this id` }] }
    }
    changed.set(id, patched(before, changes, columns))
    return { ...nothing, updated: 1 }
  }

  function remove(ids: readonly number[]): Outcome {
    const present = ids.filter(isThere)
    if (present.length === count && count > 0) {
      const reason = 'a dataset keeps at least one entry, and this would delete the last'
      return { ...nothing, failures: present.map((id): WriteFailure => ({ id, reason })) }
    }
    for (const id of present) changed.set(id, null)
    count -= present.length
    return { ...nothing, deleted: present.length, missing: ids.length - present.length }
  }

  /** The dataset may have been imported again since the request, without the metadata that it filters by. */
  function removeMatching(filter: EntryFilter): Outcome {
    try {
      const mask = catalogue.mask(name, filter)
      const rows = Array.from({ length: rowCount }, (_, row) => row)
      const matching = mask === undefined ? rows : rows.filter((row) => passes(mask, row))
      const ids = matching.map((row) => catalogue.entry(name, row).id)
      if (changedMatching === undefined) return remove(ids)
      const unchanged = ids.filter((id) => !changed.has(id))
      return remove([...unchanged, ...changedMatching(filter)])
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error
      return { ...nothing, failures: [{ id: 0, reason: error.message }] }
    }
  }

  return {
    apply({ seq, operation }) {
      switch (operation.kind) {
        case 'put':
          return put(seq, operation.entries)
        case 'patch':
          return patch(seq, operation.id, operation.changes)
        case 'delete':
          return remove(operation.ids)
        case 'delete-matching':
          return removeMatching(operation.filter)
      }
    },
    changed,
    completed(rows) {
      const names = namesFor([...changed])
      return rows.map((row) => complete(row, names))
    },
    contents: () => ({
      ...old,
      origins: changedOrigins(old.origins ?? []),
      rows: merged(old.rows, changed, namesFor),
    }),
  }
}

type Written = readonly (readonly [number, CatalogueRow | null])[]

/** Both in the order of ids. */
function* merged(
  rows: Iterable<CatalogueRow>,
  changed: ReadonlyMap<number, CatalogueRow | null>,
  namesFor: (written: Written) => EntryNames,
): Iterable<CatalogueRow> {
  const written: Written = [...changed].sort(([one], [other]) => one - other)
  const names = namesFor(written)
  let next = 0
  for (const row of rows) {
    for (let at = written[next]; at !== undefined && at[0] < row.id; at = written[next]) {
      next += 1
      if (at[1] !== null) yield complete(at[1], names)
    }
    const [id, now] = written[next] ?? []
    if (id === row.id) next += 1
    const current = id === row.id ? now : row
    if (current) yield complete(current, names)
  }
  for (const [, row] of written.slice(next)) if (row !== null) yield complete(row, names)
}

function rowOf(entry: WrittenEntry, columns: readonly string[]): CatalogueRow {
  const { id, title, type, year, score, popularity, genres, facts, metadata, texts } = entry
  return {
    id,
    title,
    type: type ?? null,
    year: year ?? null,
    score: score ?? null,
    popularity: popularity ?? null,
    genres: genres ?? [],
    facts,
    metadata: metadata ?? {},
    texts: onceEach(columns.map((column) => texts?.[column] ?? null)),
  }
}

function patched(
  before: CatalogueRow,
  { facts, metadata, texts, ...own }: EntryChanges,
  columns: readonly string[],
): CatalogueRow {
  return {
    ...before,
    ...own,
    facts: { ...before.facts, ...facts },
    metadata: { ...before.metadata, ...metadata },
    texts: onceEach(
      columns.map((column, at) => {
        const text = texts?.[column]
        return text === undefined ? (before.texts[at] ?? null) : text
      }),
    ),
  }
}

/** A text that repeats an earlier column counts once, as in an import. */
const onceEach = (texts: readonly (string | null)[]) =>
  texts.map((text, at) => (text !== null && texts.indexOf(text) < at ? null : text))

/** Names of facts and metadata that every entry of the dataset has. */
interface EntryNames {
  readonly facts: readonly string[]
  readonly metadata: readonly string[]
}

function namesOf(
  first: Pick<CatalogueRow, 'facts' | 'metadata'> | undefined,
  written: Written,
): EntryNames {
  const facts = new Set(Object.keys(first?.facts ?? {}))
  const metadata = new Set(Object.keys(first?.metadata ?? {}))
  for (const [, row] of written) {
    for (const name of Object.keys(row?.facts ?? {})) facts.add(name)
    for (const name of Object.keys(row?.metadata ?? {})) metadata.add(name)
  }
  return { facts: [...facts], metadata: [...metadata] }
}

/** Of an entry that has all names already, the entry itself. */
function complete(row: CatalogueRow, names: EntryNames): CatalogueRow {
  const { facts = {}, metadata } = row
  const noFacts = names.facts.filter((name) => !(name in facts))
  const noMetadata = names.metadata.filter((name) => !(name in metadata))
  if (noFacts.length + noMetadata.length === 0) return row
  return {
    ...row,
    facts: { ...facts, ...Object.fromEntries(noFacts.map((name) => [name, blankOf(name)])) },
    metadata: { ...metadata, ...Object.fromEntries(noMetadata.map((name) => [name, null])) },
  }
}

const lists: ReadonlySet<string> = new Set([...listNames, 'otherTitles'])
const trees: ReadonlySet<string> = new Set(['tags', 'spoilerTags'])

const blankOf = (name: string) => (lists.has(name) ? [] : trees.has(name) ? {} : null)
