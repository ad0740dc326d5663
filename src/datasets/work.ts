/** A work while sources are merged into it: what came first stays, what is missing is filled. */
import { createHash } from 'node:crypto'
import type { SourceRow } from './source.js'
import { exactTitle } from './titles.js'

export interface Work {
  /** Null until `assignIds`. */
  id: number | null
  readonly title: string
  readonly alternativeTitles: string[]
  type: string | null
  year: number | null
  score: number | null
  popularity: number | null
  genres: readonly string[]
  metadata: Record<string, unknown>
  /** In the order of the dataset's columns. */
  readonly texts: (string | null)[]
}

export function newWork(row: SourceRow, columnCount: number): Work {
  return {
    id: row.id,
    title: row.title,
    alternativeTitles: [],
    type: row.type,
    year: row.year,
    score: row.score,
    popularity: row.popularity,
    genres: [],
    metadata: {},
    texts: new Array<string | null>(columnCount).fill(null),
  }
}

/**
 * Adds what a row knows about the work.
 * @param firstColumn position of the row's first text among the dataset's columns
 * @returns how many texts were left out because an earlier column has the very same
 */
export function fillWork(work: Work, row: SourceRow, firstColumn: number): number {
  addTitles(work, [row.title, ...row.alternativeTitles])
  work.type ??= row.type
  work.year ??= row.year
  work.score ??= row.score
  work.popularity ??= row.popularity
  if (work.genres.length === 0) work.genres = row.genres
  for (const [name, value] of Object.entries(row.metadata)) work.metadata[name] ??= value
  let repeated = 0
  row.texts.forEach((text, position) => {
    if (text === null) return
    if (work.texts.includes(text)) repeated += 1
    else work.texts[firstColumn + position] = text
  })
  return repeated
}

/** What makes a work without an id the same in the next import. */
export function identity(row: Pick<Work, 'title' | 'type' | 'year'>): string {
  return JSON.stringify([exactTitle(row.title), row.type, row.year])
}

/**
 * Gives the works without an id one that depends on the work alone, so that it survives imports of
 * other files. 41 bits: exact in JSON, far above the ids of any source, and two of a hundred
 * thousand works meet once in two hundred imports; then the next free one is taken, in fixed order.
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
