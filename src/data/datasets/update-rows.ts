/**
 * An update of a dataset: sources that tell of some works, laid over what the catalogue has of all. Entries are
 * found by their ids. What the sources have fields for is replaced, blank or not; the rest stays, and so do
 * entries that they do not name. Both come in the order of their ids, so neither has to be in memory.
 */
import type { CatalogueRow } from '../catalogue/catalogue-row.js'
import type { DatasetContents } from '../catalogue/contents.js'
import { fileNameOf } from './columns.js'
import { factsOf, joinFacts, type SourceFacts } from './facts.js'
import { changedOrigins } from '../catalogue/dataset.js'
import type { MergedDataset } from './merge.js'

export interface UpdateCounts {
  /** Entries that the sources name, and that differ now. */
  changed: number
  added: number
  /** Entries that the sources name as they were already. */
  same: number
  /** Entries that the sources do not name. */
  kept: number
}

export interface Update {
  readonly columns: readonly string[]
  readonly origins: DatasetContents['origins']
  /** @param entries of the sources, in the order of their ids */
  rows(entries: Iterable<CatalogueRow>): Iterable<CatalogueRow>
  /** Right once the rows were taken. */
  readonly counts: UpdateCounts
}

export function createUpdate(old: DatasetContents, sources: MergedDataset): Update {
  const columns = joinedColumns(old.columns, sources.columns)
  const counts: UpdateCounts = { changed: 0, added: 0, same: 0, kept: 0 }
  const lay = createOverlay(columns, old.columns, sources)
  return {
    columns,
    counts,
    origins: joinedOrigins(old.origins, sources.origins),
    *rows(entries) {
      const news = entries[Symbol.iterator]()
      let next = news.next()
      let names: EntryNames | undefined
      for (const row of old.rows) {
        names ??= namesOf(row)
        for (; next.done !== true && next.value.id < row.id; next = news.next()) {
          counts.added += 1
          yield lay.added(next.value, names)
        }
        const before = lay.kept(row)
        if (next.done === true || next.value.id !== row.id) {
          counts.kept += 1
          yield before
          continue
        }
        const after = lay.over(before, next.value)
        next = news.next()
        counts[JSON.stringify(after) === JSON.stringify(before) ? 'same' : 'changed'] += 1
        yield after
      }
      for (; next.done !== true; next = news.next()) {
        counts.added += 1
        yield lay.added(next.value, names ?? { facts: new Set(), metadata: [] })
      }
    },
  }
}

/** Names that every entry of a dataset has. */
interface EntryNames {
  readonly facts: ReadonlySet<keyof SourceFacts>
  readonly metadata: readonly string[]
}

const namesOf = ({ facts = {}, metadata }: CatalogueRow): EntryNames => ({
  facts: new Set(
    Object.keys(facts).filter((name) => name !== 'otherTitles') as (keyof SourceFacts)[],
  ),
  metadata: Object.keys(metadata),
})

function createOverlay(
  columns: readonly string[],
  oldColumns: readonly string[],
  { columns: newColumns, sources }: MergedDataset,
) {
  const mappings = sources.map(({ source }) => source.mapping)
  const gives = (field: 'titles' | 'type' | 'year' | 'score' | 'genres' | 'franchise') =>
    mappings.some(({ fields }) => fields[field] !== undefined)
  // Franchises that are made of relations need all works; those of the sources alone would be others.
  const facts = new Set(
    mappings.flatMap(({ fields }) => factsOf({ ...fields, related: undefined })),
  )
  const metadata = [...new Set(mappings.flatMap((mapping) => Object.keys(mapping.metadata)))]
  const given = new Set(mappings.flatMap(({ texts }) => Object.keys(texts)).map(fileNameOf))
  const oldAt = columns.map((column) => positionOf(oldColumns, column))
  const newAt = columns.map((column) => positionOf(newColumns, column))
  const isGiven = columns.map((column) => given.has(fileNameOf(column)))

  return {
    /** An entry with what every entry has now. */
    kept(row: CatalogueRow): CatalogueRow {
      return {
        ...row,
        facts: withBlanks(row.facts, facts),
        metadata: withNulls(row.metadata, metadata),
        texts: oldAt.map((at) => row.texts[at] ?? null),
      }
    },
    added(row: CatalogueRow, names: EntryNames): CatalogueRow {
      return {
        ...row,
        // Its rank among the works of an update says little.
        popularity: null,
        facts: withBlanks(row.facts, names.facts),
        metadata: withNulls(row.metadata, names.metadata),
        texts: newAt.map((at) => row.texts[at] ?? null),
      }
    },
    over(before: CatalogueRow, row: CatalogueRow): CatalogueRow {
      const { type, year, score, genres } = row
      const texts = columns.map((_, at) => {
        const text = row.texts[newAt[at] ?? -1] ?? null
        return isGiven[at] ? text : (text ?? before.texts[at] ?? null)
      })
      return {
        ...before,
        title: row.title,
        ...(gives('type') && { type }),
        ...(gives('year') && { year }),
        ...(gives('score') && { score }),
        ...(gives('genres') && { genres }),
        facts: {
          ...before.facts,
          ...(gives('titles') && { otherTitles: row.facts?.otherTitles ?? [] }),
          ...picked(row.facts ?? {}, [...facts]),
        },
        metadata: { ...before.metadata, ...picked(row.metadata, metadata) },
        texts: texts.map((text, at) => (text !== null && texts.indexOf(text) < at ? null : text)),
      }
    },
  }
}

const positionOf = (columns: readonly string[], column: string) =>
  columns.map(fileNameOf).indexOf(fileNameOf(column))

function joinedColumns(old: readonly string[], more: readonly string[]): readonly string[] {
  const known = new Set(old.map(fileNameOf))
  return [...old, ...more.filter((column) => !known.has(fileNameOf(column)))]
}

/** An origin that is there already is another state of it now; what a first start has made is no longer as it was made. */
function joinedOrigins(
  old: DatasetContents['origins'] = [],
  more: DatasetContents['origins'] = [],
): DatasetContents['origins'] {
  const names = new Set(more.map(({ name }) => name))
  return [...changedOrigins(old.filter(({ name }) => !names.has(name))), ...more]
}

const withBlanks = (
  facts: CatalogueRow['facts'] = {},
  names: ReadonlySet<keyof SourceFacts>,
): NonNullable<CatalogueRow['facts']> => {
  const absent = new Set([...names].filter((name) => !(name in facts)))
  return absent.size === 0 ? facts : { ...facts, ...joinFacts([], absent) }
}

function withNulls(
  metadata: CatalogueRow['metadata'],
  names: readonly string[],
): CatalogueRow['metadata'] {
  const absent = names.filter((name) => !(name in metadata))
  if (absent.length === 0) return metadata
  return { ...metadata, ...Object.fromEntries(absent.map((name) => [name, null])) }
}

const picked = (from: object, names: readonly string[]): object =>
  Object.fromEntries(Object.entries(from).filter(([name]) => names.includes(name)))
