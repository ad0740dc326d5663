/** A work while sources are joined: its id and titles, and the numbers of its rows. */
import { createHash } from 'node:crypto'
import type { SourceRow } from './source.js'
import { exactTitle } from './titles.js'

/** The part of a row that decides which work it belongs to. */
export interface RowKey extends Pick<
  SourceRow,
  'line' | 'id' | 'title' | 'alternativeTitles' | 'type' | 'year'
> {
  /** Where the whole row is staged. */
  readonly number: number
  /** As `CatalogueRow` has it. */
  readonly popularity: number | null
  /** What sites know it by, from the metadata. */
  readonly malId: number | null
  readonly anilistId: number | null
  /** Its franchise, where the row has one. */
  readonly franchise: string | null
  /** Its id and those of related works, each with the position of the source, whose ids they are. */
  readonly ownId: string | null
  readonly relatedIds: readonly string[]
}

export interface Work {
  /** Null until `assignIds`. */
  id: number | null
  readonly title: string
  readonly alternativeTitles: string[]
  type: string | null
  year: number | null
  popularity: number | null
  malId: number | null
  anilistId: number | null
  franchise: string | null
  /** As rows have them. */
  readonly ownIds: string[]
  readonly relatedIds: string[]
  /** Numbers of the staged rows, in the order of the sources. */
  readonly rows: number[]
}

/** A work once `assignIds` has run. */
export type NamedWork = Work & { readonly id: number }

export function newWork({ id, title }: RowKey): Work {
  const unknown = { type: null, year: null, popularity: null, malId: null, anilistId: null }
  const lists = { alternativeTitles: [], ownIds: [], relatedIds: [], rows: [] }
  return { id, title, ...unknown, franchise: null, ...lists }
}

/** Adds a row to the work. The first value of a field wins. */
export function addRow(work: Work, row: RowKey): void {
  addTitles(work, [row.title, ...row.alternativeTitles])
  work.type ??= row.type
  work.year ??= row.year
  work.popularity ??= row.popularity
  work.malId ??= row.malId
  work.anilistId ??= row.anilistId
  work.franchise ??= row.franchise
  if (row.ownId !== null) work.ownIds.push(row.ownId)
  work.relatedIds.push(...row.relatedIds)
  work.rows.push(row.number)
}

/** Identifies a work without an id across imports. */
export function identity(row: Pick<Work, 'title' | 'type' | 'year'>): string {
  return JSON.stringify([exactTitle(row.title), row.type, row.year])
}

/**
 * Assigns ids to works without one. An id depends on the work alone, so imports of other files keep it. 41 bits:
 * exact in JSON, and far above the ids of any source. Two of a hundred thousand works collide once in two
 * hundred imports; the second one then takes the next free id, in a fixed order.
 */
export function assignIds(works: readonly Work[]): void {
  const used = new Set(works.map((work) => work.id))
  const counts = new Map<string, number>()
  const unnamed = works
    .filter((work) => work.id === null)
    .map((work) => {
      const key = identity(work)
      const ordinal = counts.get(key) ?? 0
      counts.set(key, ordinal + 1)
      return { work, key: `${key}#${ordinal}` }
    })
  unnamed.sort((one, other) => (one.key < other.key ? -1 : 1))
  for (const { work, key } of unnamed) {
    let id = 2 ** 40 + createHash('sha256').update(key).digest().readUIntBE(0, 5)
    while (used.has(id)) id += 1
    used.add(id)
    work.id = id
  }
}

function addTitles(work: Work, titles: readonly string[]): void {
  const known = new Set([work.title, ...work.alternativeTitles].map(exactTitle))
  for (const title of titles) {
    const key = exactTitle(title)
    if (known.has(key)) continue
    known.add(key)
    work.alternativeTitles.push(title)
  }
}
